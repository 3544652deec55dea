import MailCheck from 'lucide-react/icons/mail-check';
import { useEffect, useRef } from 'react';
import { useProduct } from '#web/app/product.ts';
import { Button } from '#web/ui/button.tsx';
import { AccountCard } from './account-card.tsx';
import { ResendVerification } from './resend-verification.tsx';

type CheckYourMailProps = { email: string; next?: string | undefined; onChange: () => void };

/** What follows signing up: where the mail went, what to do with it, and what if it does not come. */
export function CheckYourMail({ email, next, onChange }: CheckYourMailProps) {
  const { isDemo } = useProduct();
  const words = useRef<HTMLDivElement>(null);
  useEffect(() => words.current?.focus(), []);
  return (
    <AccountCard title="Check your email" subtitle="One step left: verify your address.">
      <div ref={words} tabIndex={-1} className="flex flex-col gap-5 outline-none">
        <p className="flex gap-3">
          <MailCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-success-mark" />
          <span className="min-w-0">
            We sent a link to <strong className="font-semibold wrap-anywhere">{email}</strong>. Follow it and
            you're signed in. Not there? Look in your spam folder, or send it again.
          </span>
        </p>
        <ResendVerification email={email} next={next} />
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
    </AccountCard>
  );
}
