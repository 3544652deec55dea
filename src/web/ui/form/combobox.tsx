import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { cn } from '../class-names.ts';
import { Input } from './input.tsx';
import { useEarlyInput } from './use-early-input.ts';

/** One option; `hint` distinguishes options with the same label. */
export type ComboboxOption = { value: string; label: string; hint?: string };

type ComboboxProps = {
  /**
   * The typed text; `options` are its results. `message` is shown below them, for example if there are no
   * results.
   */
  typed: string;
  onTyped: (typed: string) => void;
  options: readonly ComboboxOption[];
  message: string | null;
  onChoose: (option: ComboboxOption) => void;
  /** Called when the field loses the focus. */
  onLeave: () => void;
  placeholder?: string;
  maxLength?: number;
};

/**
 * A text field with suggestions below it while it has the focus, following the combobox pattern of the ARIA Authoring
 * Practices: arrows move, Enter chooses, Escape closes. Goes inside a `FormField`, which names it.
 */
export function Combobox({
  typed,
  onTyped,
  options,
  message,
  onChoose,
  onLeave,
  placeholder,
  maxLength,
}: ComboboxProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [activeValue, setActiveValue] = useState<string | null>(null);
  // New results may list the active option at another position, or not at all.
  const active = options.findIndex(({ value }) => value === activeValue);
  const field = useRef<HTMLInputElement>(null);
  const isShown = isOpen && (options.length > 0 || message !== null);
  useEarlyInput(field, typed, (text) => {
    setIsOpen(document.activeElement === field.current);
    onTyped(text);
  });
  const close = () => {
    setIsOpen(false);
    setActiveValue(null);
  };
  const choose = (option: ComboboxOption) => {
    close();
    onChoose(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setIsOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // Without an active option, Down starts at the first option and Up at the last.
      const from = active < 0 && step < 0 ? 0 : active;
      setActiveValue(options.at((from + step) % options.length)?.value ?? null);
    } else if (event.key === 'Enter' && options[active]) {
      event.preventDefault();
      choose(options[active]);
    } else if (event.key === 'Escape' && isShown) {
      event.stopPropagation();
      event.preventDefault();
      close();
    }
  };
  return (
    <div className="relative">
      <Input
        ref={field}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        value={typed}
        placeholder={placeholder}
        maxLength={maxLength}
        onChange={(event) => {
          setIsOpen(true);
          setActiveValue(null);
          onTyped(event.target.value);
        }}
        onFocus={() => setIsOpen(true)}
        onBlur={() => {
          close();
          onLeave();
        }}
        onKeyDown={onKeyDown}
      />
      <div
        className={cn(
          'absolute inset-x-0 top-full z-50 mt-1.5 min-w-60 rounded-lg border bg-popover p-1 text-sm shadow-float',
          !isShown && 'hidden',
        )}
      >
        <div role="listbox" id={`${id}-list`} aria-label={placeholder}>
          {options.map((option, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant instead
            <div
              key={option.value}
              role="option"
              id={`${id}-${at}`}
              aria-selected={at === active}
              // A press must not take the focus from the field: the list would close before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(option)}
              className={cn(
                'cursor-pointer rounded-md px-2.5 py-2 hover:bg-accent touch:py-3',
                at === active && 'bg-accent',
              )}
            >
              {option.label}
              {option.hint && <span className="block text-xs text-muted-foreground">{option.hint}</span>}
            </div>
          ))}
        </div>
        {message !== null && (
          <p role="status" className="px-2.5 py-2 text-muted-foreground">
            {message}
          </p>
        )}
      </div>
    </div>
  );
}
