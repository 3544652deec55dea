import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import SunMoon from 'lucide-react/icons/sun-moon';

const themes = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'System', Icon: Monitor },
];

// Radio buttons that public-page.ts listens to; without scripts the page follows the device and none are shown.

/** The theme behind one button of the header, if that has room for it. */
export function ThemeMenu() {
  return (
    <details data-theme-menu className="relative hidden handing-over:hidden! sm:scripted:block">
      <summary
        aria-label="Theme"
        className="inline-flex size-10 cursor-pointer items-center justify-center rounded-md transition-colors hover:bg-accent touch:size-11"
      >
        <SunMoon aria-hidden className="size-5" />
      </summary>
      <fieldset className="absolute right-0 mt-1.5 min-w-40 rounded-lg border bg-popover p-1 text-sm shadow-float">
        <legend className="sr-only">Theme</legend>
        {themes.map(({ value, label, Icon }) => (
          <label
            key={value}
            className="relative flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 select-none hover:bg-accent has-checked:bg-accent has-focus-visible:outline-2 has-focus-visible:outline-ring touch:h-11"
          >
            <input
              type="radio"
              name="theme-in-header"
              value={value}
              data-theme-choice
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** The theme switch in the footer, for phones. */
export function ThemeChoice() {
  return (
    <fieldset className="hidden w-fit max-w-full gap-0.5 rounded-md bg-accent p-1 scripted:inline-flex sm:hidden!">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ value, label, Icon }) => (
        <label
          key={value}
          className="relative inline-flex h-9 items-center justify-center gap-1.5 rounded-[0.3125rem] px-3 font-medium whitespace-nowrap text-muted-foreground before:absolute before:inset-x-0 before:-inset-y-1 hover:text-foreground has-checked:bg-selected has-checked:text-foreground has-checked:shadow-[0_1px_2px_var(--shadow-edge)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
        >
          <input
            type="radio"
            name="theme-at-foot"
            value={value}
            data-theme-choice
            className="absolute inset-0 opacity-0"
          />
          <Icon aria-hidden className="size-4" />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
