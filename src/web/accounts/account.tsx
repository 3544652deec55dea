import { AccessDenied } from '#web/app/access-denied.tsx';
import { useAuth } from '#web/app/auth-provider.tsx';
import { Page } from '#web/app/page.tsx';
import { Card } from '#web/ui/card.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { TwoStepSignIn } from './two-step-sign-in.tsx';

/** What belongs to the person rather than to a role: how they sign in. */
export function AccountScreen() {
  const { user, loading } = useAuth();
  if (loading) return <Spinner className="grow py-24" />;
  if (!user) return <AccessDenied message="Please sign in to see your account." />;
  return (
    <Page>
      <h1>Account</h1>
      <p className="mt-2 mb-6 text-muted-foreground wrap-anywhere">{user.email}</p>
      <Card className="max-w-xl p-5 md:p-6">
        <TwoStepSignIn />
      </Card>
    </Page>
  );
}
