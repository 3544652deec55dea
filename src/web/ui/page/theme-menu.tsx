import { useEffect, useId, useRef } from 'react';
import { cn } from '../class-names.ts';
import { SunMoon } from './early-icons.tsx';
import { themeOptions, useThemeChoice } from './theme-switch.tsx';

/** The header's theme menu. On pages without hydration, public-page.ts handles input. */
export function ThemeMenu({ className }: { className?: string }) {
  const [choice, setChoice] = useThemeChoice();
  const name = useId();
  const menu = useRef<HTMLDetailsElement>(null);
  // public-page.ts repeats these handlers, because its script must not import anything.
  useEffect(() => {
    function closeOutside({ target }: Event) {
      if (!menu.current?.contains(target as Node)) menu.current!.open = false;
    }
    function closeOnEscape({ key }: KeyboardEvent) {
      if (key !== 'Escape' || !menu.current?.open) return;
      menu.current.open = false;
      menu.current.querySelector('summary')?.focus();
    }
    document.addEventListener('click', closeOutside);
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      document.removeEventListener('click', closeOutside);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, []);
  return (
    <details ref={menu} data-theme-menu data-theme-choice className={cn('relative', className)}>
      <summary
        aria-label="Theme"
        className="inline-flex size-10 cursor-pointer list-none items-center justify-center rounded-md transition-colors hover:bg-accent touch:size-11 [&::-webkit-details-marker]:hidden"
      >
        <SunMoon className="size-5" />
      </summary>
      <div
        role="radiogroup"
        aria-label="Theme"
        className="absolute right-0 mt-1.5 min-w-40 rounded-lg border bg-popover p-1 text-sm shadow-float"
      >
        {themeOptions.map(({ value, label, icon }) => (
          <label
            key={value}
            className="relative flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 select-none hover:bg-accent has-checked:bg-accent has-focus-visible:outline-2 has-focus-visible:outline-ring touch:h-11 [&_svg]:text-muted-foreground"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === choice}
              onChange={() => setChoice(value)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {icon}
            {label}
          </label>
        ))}
      </div>
    </details>
  );
}
