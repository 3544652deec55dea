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

/** Stores the choice on this device; public/early.js applies it before first paint, and in every tab. */
function storeChoice(choice: ThemeChoice) {
  try {
    localStorage.setItem('app.theme', choice);
  } catch {
    // A browser that forbids storage keeps to the system's theme.
  }
  window.dispatchEvent(new Event('app:theme'));
}

/** The chosen theme and its setter; "system" follows the device. */
export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  return [useSyncExternalStore(subscribe, readChoice, () => 'system'), storeChoice];
}

const icon = 'size-4';
/** The themes in the order they are offered. */
export const themeOptions = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden className={icon} /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden className={icon} /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden className={icon} /> },
] as const;

/** Light, dark or as the device says. */
export function ThemeSwitch({ className }: { className?: string }) {
  const [choice, setChoice] = useThemeChoice();
  return (
    <SegmentedControl
      label="Theme"
      value={choice}
      onValueChange={setChoice}
      options={themeOptions}
      className={className}
    />
  );
}
