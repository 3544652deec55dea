import { EmailSent } from '../emailed-links/email-sent.tsx';
import { ResendVerification } from '../emailed-links/resend-verification.tsx';
import { AccountCard } from './account-card.tsx';

type CheckYourEmailProps = { email: string; next?: string | undefined; onChange: () => void };

/** The page after sign-up: where the email went, what to do with it, and what to do if it does not arrive. */
export function CheckYourEmail({ email, next, onChange }: CheckYourEmailProps) {
  return (
    <AccountCard title="Check your email" subtitle="One step left: verify your address.">
      <EmailSent action={<ResendVerification email={email} next={next} />} onChange={onChange}>
        We sent a link to <strong className="font-semibold wrap-anywhere">{email}</strong>. Open it to sign
        in. Can't find it? Look in your spam folder, or send it again.
      </EmailSent>
    </AccountCard>
  );
}
