import { Link } from '@tanstack/react-router';
import { businessesApi } from '#domain/businesses/contract.ts';
import { coachPath } from '#domain/pages.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { GalleryForm } from '#web/storage/gallery-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { BusinessFacts } from './business-facts.tsx';
import { BusinessForm } from './business-form.tsx';
import { CoachProfileForm } from './coach-profile-form.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { ProfileAddress } from './profile-address.tsx';

/** Sets up, changes or shows the coach's business; edits the coach's public profile and pictures. */
export default function BusinessScreen() {
  return (
    <>
      <h1 className="mb-8">Business</h1>
      <BusinessSection />
      <CoachProfileSection />
      <GallerySection />
    </>
  );
}

function BusinessSection() {
  const query = useApi(businessesApi.getBusiness, {});
  const { data } = query;
  const isEmployee = data?.businessRole === 'employee';
  return (
    <Section
      title={
        isEmployee ? 'Where you work' : data?.business === null ? 'Set up your business' : 'Your business'
      }
      description={
        isEmployee
          ? `The owners of ${data?.business?.businessName} manage these details.`
          : 'Customers see the business name next to yours. The other details are only for your team and for us, so that we can contact you.'
      }
      actions={
        data?.business && (
          <Button asChild variant="secondary">
            <Link to="/coach/team">See the team</Link>
          </Button>
        )
      }
    >
      <QueryView
        query={query}
        failure="Failed to load business details"
        skeleton={<FormSkeleton label="Loading your business..." fields={5} />}
      >
        {({ business }) =>
          business && isEmployee ? (
            <BusinessFacts business={business} />
          ) : (
            <BusinessForm business={business} />
          )
        }
      </QueryView>
    </Section>
  );
}

function CoachProfileSection() {
  const { profile } = useAuth();
  const query = useApi(businessesApi.getCoachProfile, {});
  return (
    <Section
      title="Your coach profile"
      description="What customers read about you. Everything is optional, but a full profile helps customers choose."
      actions={
        profile && (
          <Button asChild variant="secondary">
            <a href={coachPath({ coachId: profile.userId, coachAddress: query.data?.coachAddress ?? null })}>
              See your public profile
            </a>
          </Button>
        )
      }
    >
      <QueryView
        query={query}
        failure="Failed to load your coach profile"
        skeleton={<FormSkeleton label="Loading your coach profile..." fields={6} />}
      >
        {({ coachProfile, coachAddress }) => (
          <>
            {profile && <ProfileAddress coach={{ coachId: profile.userId, coachAddress }} />}
            <CoachProfileForm coachProfile={coachProfile} />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function GallerySection() {
  const { profile } = useAuth();
  if (!profile) return null;
  return (
    <Section
      title="Your pictures"
      description="Up to 12 pictures of your lessons and where they're held, on your public profile. We remove location and camera details."
    >
      <GalleryForm ownerId={profile.userId} />
    </Section>
  );
}
