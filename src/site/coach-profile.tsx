import Building from 'lucide-react/icons/building-2';
import Languages from 'lucide-react/icons/languages';
import MapPin from 'lucide-react/icons/map-pin';
import type { ComponentType, ReactNode } from 'react';
import type { PublicCoach } from '#domain/businesses/contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { coachPath, reportPath } from '#domain/pages.ts';
import { type Sport, sports } from '#domain/sports.ts';
import { buckets } from '#domain/storage/buckets.ts';
import type { Picture } from '#domain/storage/contract.ts';
import { sizedUrl, srcSetOf } from '#domain/storage/picture-url.ts';
import type { Badge } from '#domain/verification/badges.ts';
import { initialsOf } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { BadgeList } from '#web/ui/lesson/badge-list.tsx';
import { Money } from '#web/ui/money.tsx';
import { CornerArc } from '#web/ui/page/pitch-lines.tsx';
import { RatingLine } from '#web/ui/rating/rating-line.tsx';
import { SportName, sportStyle } from '#web/ui/sport-dot.tsx';
import { LessonList } from './lesson-list.tsx';
import { Page, type Site } from './page.tsx';
import { ReviewsSection, type ReviewsShown } from './reviews.tsx';
import { describeCoach } from './structured-data.ts';

/** `lessons`: the coach's next lessons with a free seat; `hasMore`: true if there are more. */
type CoachProfileProps = {
  site: Site;
  coach: PublicCoach;
  badges: readonly Badge[];
  lessons: readonly OpenSlot[];
  hasMore: boolean;
  /**
   * The newest reviews. `isCompared`: whether search engines may read the rating, because several businesses are
   * listed.
   */
  shown: ReviewsShown;
  isCompared: boolean;
};

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** A coach's public page: the coach's details, badges, gallery, next lessons and reviews. */
export function CoachProfilePage(props: CoachProfileProps) {
  const { site, coach, badges, lessons, hasMore, shown, isCompared } = props;
  const { coachId, fullName, coachType, businessName, bio, hourlyRateCents, towns, languages } = coach;
  const path = coachPath(coach);
  const allLessons = `/customer/discover?coachId=${coachId}`;
  return (
    <Page
      site={site}
      title={titleOf(coach)}
      description={summaryOf(coach, site.brand)}
      path={path}
      kind="profile"
      structuredData={describeCoach(coach, lessons, {
        publicUrl: site.publicUrl,
        rating: isCompared ? shown.rating : null,
      })}
      next={path}
    >
      <div className="relative overflow-hidden border-b">
        <CornerArc className="absolute top-0 right-0 size-32 rotate-90 md:size-48" />
        <div className="relative mx-auto flex w-full max-w-page flex-col gap-6 px-4 py-8 md:flex-row md:items-center md:gap-10 md:py-14">
          <Portrait name={fullName} sport={coach.sports[0]} avatar={coach.avatar} />
          <div className="min-w-0">
            <h1 className="break-words md:text-3xl">{fullName}</h1>
            {coachType && <p className="mt-2 text-lg break-words text-muted-foreground">{coachType}</p>}
            <RatingLine rating={shown.rating} className="mt-2 py-1 text-sm" />
            {coach.sports.length > 0 && (
              <ul aria-label="Sports" className="mt-4 flex flex-wrap gap-2">
                {coach.sports.map((sport) => (
                  <li
                    key={sport}
                    className="inline-flex h-8 items-center rounded-full border bg-card px-3 text-sm"
                  >
                    <SportName sport={sport} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        </div>
      </div>
      <div className="mx-auto grid w-full max-w-page gap-x-16 gap-y-10 px-4 py-10 md:grid-cols-[1fr_17rem] md:py-14">
        <aside aria-label="At a glance" className="md:order-last">
          <div className="md:sticky md:top-24">
            {hourlyRateCents !== null && (
              <p className="mb-5 text-sm text-muted-foreground">
                <Money
                  cents={hourlyRateCents}
                  className="text-2xl font-semibold tracking-tight text-foreground"
                />{' '}
                an hour
              </p>
            )}
            <Button asChild size="lg" className="w-full">
              <a href={allLessons}>See all lessons</a>
            </Button>
            <dl className="mt-6 space-y-4 text-sm empty:hidden">
              {businessName && (
                <Fact icon={Building} label="Business">
                  {businessName}
                </Fact>
              )}
              {towns.length > 0 && (
                <Fact icon={MapPin} label="Coaches in">
                  {list.format(towns)}
                </Fact>
              )}
              {languages.length > 0 && (
                <Fact icon={Languages} label="Speaks">
                  {list.format(languages)}
                </Fact>
              )}
            </dl>
          </div>
        </aside>
        <div className="min-w-0">
          {bio && (
            <section aria-labelledby="about" className="mb-12">
              <h2 id="about">About {fullName}</h2>
              <p className="mt-4 max-w-reading break-words whitespace-pre-line">{bio}</p>
            </section>
          )}
          {badges.length > 0 && (
            <section aria-labelledby="checks" className="mb-12">
              <h2 id="checks">What {site.brand} has checked</h2>
              <BadgeList badges={badges} className="mt-3" />
            </section>
          )}
          <Gallery pictures={coach.gallery} name={fullName} />
          <LessonList lessons={lessons} now={site.now} />
          {hasMore && (
            <p className="mt-6 text-sm">
              <a
                href={allLessons}
                className="inline-block py-2 font-medium text-primary underline underline-offset-4"
              >
                More lessons with {fullName}
              </a>
            </p>
          )}
          <ReviewsSection coach={coach} shown={shown} />
        </div>
      </div>
    </Page>
  );
}

type PortraitProps = { name: string; sport: Sport | undefined; avatar: Picture | null };

/** The coach's picture or, without one, the coach's initials on a background in the colour of `sport`. */
function Portrait({ name, sport, avatar }: PortraitProps) {
  if (avatar) {
    return (
      <figure className="shrink-0">
        <img
          src={sizedUrl(avatar.url, 512)}
          srcSet={srcSetOf(avatar, buckets.avatars.sizes)}
          sizes="(min-width: 768px) 10rem, 7rem"
          width={avatar.width}
          height={avatar.height}
          alt={name}
          className="size-28 rounded-lg border bg-muted object-cover md:size-40"
        />
        <figcaption className="mt-1.5">
          <ReportLink pictureId={avatar.pictureId} label={`Report picture of ${name}`} />
        </figcaption>
      </figure>
    );
  }
  return (
    <div
      aria-hidden
      style={sportStyle(sport ?? 'other')}
      className="relative flex size-28 shrink-0 items-center justify-center overflow-hidden rounded-lg border bg-sport-soft md:size-40"
    >
      <CornerArc className="absolute -top-1 -left-1 size-full text-sport opacity-35" />
      <span className="text-3xl font-semibold tracking-tight md:text-[3.25rem]">{initialsOf(name)}</span>
    </div>
  );
}

/** The coach's gallery; renders nothing if there are no pictures. Each picture can be reported. */
function Gallery({ pictures, name }: { pictures: readonly Picture[]; name: string }) {
  if (pictures.length === 0) return null;
  return (
    <section aria-labelledby="pictures" className="mb-12">
      <h2 id="pictures">Pictures</h2>
      <ul className="mt-4 grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-3">
        {pictures.map((picture, index) => (
          <li key={picture.pictureId}>
            <a href={picture.url} className="block">
              <img
                src={sizedUrl(picture.url, 400)}
                srcSet={srcSetOf(picture, buckets.gallery.sizes)}
                sizes="(min-width: 1120px) 15rem, (min-width: 640px) 30vw, 45vw"
                width={picture.width}
                height={picture.height}
                alt={picture.alt || `Picture ${index + 1} in ${name}'s gallery`}
                loading="lazy"
                decoding="async"
                className="aspect-[4/3] w-full rounded-lg border bg-muted object-cover"
              />
            </a>
            <ReportLink pictureId={picture.pictureId} label={`Report picture ${index + 1}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ReportLink({ pictureId, label }: { pictureId: string; label: string }) {
  return (
    <a
      href={reportPath(pictureId)}
      rel="nofollow"
      aria-label={label}
      className="inline-block py-1 text-xs text-muted-foreground hover:underline"
    >
      Report picture
    </a>
  );
}

type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;

function Fact({ icon: Icon, label, children }: { icon: Icon; label: string; children: ReactNode }) {
  return (
    <div className="relative pl-7 break-words">
      <dt className="text-muted-foreground">
        <Icon aria-hidden className="absolute top-0.5 left-0 size-4" />
        {label}
      </dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

function titleOf({ fullName, coachType, towns }: PublicCoach): string {
  const trade = [coachType, towns[0]].filter(Boolean).join(' in ');
  return trade ? `${fullName}, ${trade}` : fullName;
}

/** A description for search results: what the coach offers, then the biography; at most 160 characters. */
function summaryOf({ fullName, coachType, sports: taught, towns, bio }: PublicCoach, brand: string): string {
  const subject =
    taught.length > 0 ? list.format(taught.map((sport) => sports[sport].toLowerCase())) : 'sports';
  const where = towns.length > 0 ? ` in ${list.format(towns.slice(0, 3))}` : '';
  const offer = `Book ${subject} lessons with ${fullName}${coachType ? `, ${coachType}` : ''}${where} on ${brand}.`;
  const summary = `${offer} ${bio ?? ''}`.replace(/\s+/g, ' ').trim();
  return summary.length <= 160 ? summary : `${summary.slice(0, 157).replace(/\s+\S*$/, '')}…`;
}
