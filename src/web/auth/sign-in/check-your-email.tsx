import { EmailSent } from '../emailed-links/email-sent.tsx';
import { ResendVerification } from '../emailed-links/resend-verification.tsx';
import { AccountCard } from './account-card.tsx';

type CheckYourEmailProps = {
  email: string;
  next?: string | undefined;
  /** True after a request for a new link, which is sent only if the address is unverified. */
  isResent?: boolean;
  onChange: () => void;
};

/** The page after sign-up or a request for a new link: where the email went, and what to do if it does not arrive. */
export function CheckYourEmail({ email, next, isResent = false, onChange }: CheckYourEmailProps) {
  const address = <strong className="font-semibold wrap-anywhere">{email}</strong>;
  return (
    <AccountCard title="Check your email" subtitle="One step left: verify your address.">
      <EmailSent action={<ResendVerification email={email} next={next} />} onChange={onChange}>
        {isResent ? (
          <>If {address} still needs verifying, a new link is on its way.</>
        ) : (
          <>We sent a link to {address}.</>
        )}{' '}
        Open the link to sign in. Can't find it? Look in your spam folder, or send it again.
      </EmailSent>
    </AccountCard>
  );
}
