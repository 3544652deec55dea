import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { type ComponentProps, useState } from 'react';
import { Input } from '#web/ui/form/input.tsx';

/** A password field that can show its text. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, 'type' | 'leading' | 'trailing'>) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        {...props}
        type={isShown ? 'text' : 'password'}
        className="pr-12"
        spellCheck={false}
        autoCapitalize="none"
      />
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 inline-flex w-11 items-center justify-center rounded-md text-muted-foreground hover:text-foreground"
      >
        <Icon aria-hidden className="size-4" />
        <span className="sr-only">Show password</span>
      </button>
    </div>
  );
}
