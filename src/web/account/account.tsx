import { Link } from '@tanstack/react-router';
import { feedScopes } from '#domain/bookings/calendar-rules.ts';
import { ProfileForm } from '#web/accounts/profile-form.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { AccessDenied } from '#web/app/layout/not-shown.tsx';
import { ChangeEmail } from '#web/auth/security/change-email.tsx';
import { ChangePasswordForm } from '#web/auth/security/change-password-form.tsx';
import { Sessions } from '#web/auth/security/sessions.tsx';
import { TwoStepSignIn } from '#web/auth/security/two-step-sign-in.tsx';
import { CalendarFeeds } from '#web/bookings/calendar-feeds/calendar-feeds.tsx';
import { aboutFeeds } from '#web/bookings/calendar-feeds/feed-text.ts';
import { NotificationPreferences, UnreachableNotice } from '#web/notifications/notification-preferences.tsx';
import { AvatarForm } from '#web/storage/avatar-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { SiteLinks } from '#web/ui/page/site-links.tsx';
import { PageSpinner } from '#web/ui/page/spinner.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { OwnData } from './own-data.tsx';

/** The account page of every role: profile, sign-in, notifications, calendar, personal data and deletion. */
export default function AccountScreen() {
  const { user, loading, isCoach } = useAuth();
  if (loading) return <PageSpinner />;
  if (!user) return <AccessDenied message="Please sign in to see your account." />;
  return (
    <PersonalPage>
      <div className="w-full max-w-2xl">
        <h1 className="mb-8">Account</h1>
        <UnreachableNotice />
        <Section
          title="Profile"
          description="Your coaches can see this name. If you're a coach, everyone can."
        >
          <ProfileForm />
        </Section>
        <Section
          title="Picture"
          description="Your coaches can see this picture. If you're a coach, everyone can."
        >
          <AvatarForm />
        </Section>
        <Section
          title="My family"
          description="The children and other people you book for, with their emergency contacts and consents."
        >
          <Button asChild variant="secondary" className="max-sm:w-full">
            <Link to="/account/family">Open my family</Link>
          </Button>
        </Section>
        {!isCoach && (
          <Section title="Coaching" description="Teach your sport: publish lessons and get paid for them.">
            <Button asChild variant="secondary" className="max-sm:w-full">
              <Link to="/become-a-coach">Become a coach</Link>
            </Button>
          </Section>
        )}
        <Section title="Email">
          <ChangeEmail />
        </Section>
        <Section title="Password" description="Changing your password signs you out of all other browsers.">
          <ChangePasswordForm />
        </Section>
        <Section title="Two-step sign-in">
          <TwoStepSignIn />
        </Section>
        <Section
          title="Where you're signed in"
          description="Sign out any browser you don't recognise, then change your password."
        >
          <Sessions />
        </Section>
        <Section
          id="notifications"
          title="Notifications"
          description="Choose how we notify you. If you can't switch something off, we say why."
        >
          <NotificationPreferences />
        </Section>
        <Section title="Calendar" description={aboutFeeds}>
          <CalendarFeeds scopes={isCoach ? feedScopes : ['customer']} />
        </Section>
        <Section
          title="Your data"
          description="Your personal data in one file, including your profile, bookings, sign-ins and coaching records."
        >
          <OwnData />
        </Section>
        <Section title="Delete account">
          <DeleteAccount />
        </Section>
        <nav aria-label="Terms and help" className="flex flex-wrap gap-x-5 text-sm text-muted-foreground">
          <SiteLinks />
        </nav>
      </div>
    </PersonalPage>
  );
}
