import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useSyncExternalStore } from 'react';
import { SegmentedControl } from '../form/segmented-control.tsx';

export type ThemeChoice = 'light' | 'dark' | 'system';

function readChoice(): ThemeChoice {
  const set = document.documentElement.dataset.theme;
  return set === 'light' || set === 'dark' ? set : 'system';
}

function subscribe(listener: () => void) {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** Applies the theme. public/early.js stores the theme on this device, and applies it before a page's first paint. */
function applyChoice(choice: ThemeChoice) {
  document.documentElement.dataset.theme = choice;
}

/** The chosen theme and its setter; "system" follows the device. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, readChoice, () => 'system'), applyChoice];
}

const icon = 'size-4 shrink-0';
export const themeOptions = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden className={icon} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden className={icon} /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden className={icon} /> },
] as const;

/** A choice of light, dark or the device's theme. On pages without hydration, public-page.ts handles input. */
export function ThemeSwitch({ className }: { className?: string }) {
  const [choice, setChoice] = useThemeChoice();
  return (
    <div data-theme-choice className={className}>
      <SegmentedControl label="Theme" value={choice} onValueChange={setChoice} options={themeOptions} />
    </div>
  );
}
