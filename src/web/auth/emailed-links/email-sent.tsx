import EmailCheck from 'lucide-react/icons/mail-check';
import { type ReactNode, useEffect, useRef } from 'react';
import { useProduct } from '#web/app/api/product.ts';
import { Button } from '#web/ui/button.tsx';

/**
 * Says that an email was sent, and takes the focus when it appears. `children`: where the email was sent and
 * what to do with it; `action`: a button that sends the email again; `onChange`: called to correct the
 * address.
 */
export function EmailSent({
  children,
  action,
  onChange,
}: {
  children: ReactNode;
  action?: ReactNode;
  onChange: () => void;
}) {
  const { isDemo } = useProduct();
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => message.current?.focus(), []);
  return (
    <div ref={message} tabIndex={-1} className="flex flex-col gap-5 outline-none">
      <p className="flex gap-3">
        <EmailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success-mark" />
        <span className="min-w-0">{children}</span>
      </p>
      {action}
      {isDemo && (
        <Button asChild variant="secondary">
          <a href="/demo/outbox" target="_blank" rel="noreferrer">
            Open the demo mailbox
          </a>
        </Button>
      )}
      <p className="text-center text-sm text-muted-foreground">
        Wrong address?{' '}
        <Button variant="link" className="touch:text-sm" onClick={onChange}>
          Change it
        </Button>
      </p>
    </div>
  );
}
