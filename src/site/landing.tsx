import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import type { VerificationPolicy } from '#domain/settings/verification-policy.ts';
import { Button } from '#web/ui/button.tsx';
import { CornerArc } from '#web/ui/page/pitch-lines.tsx';
import { Features } from './features.tsx';
import { TrainingDrill, WholePitch } from './illustrations.tsx';
import { LessonStrip } from './lesson-strip.tsx';
import { joinAsCoach, Page, type Site } from './page.tsx';
import { describeSite } from './structured-data.ts';

/** `stats`: the operator's figures, empty if they are hidden. `lessons`: the next bookable lessons. */
type LandingProps = {
  site: Site;
  stats: readonly { figure: string; label: string }[];
  lessons: readonly OpenSlot[];
  policy: VerificationPolicy;
};

const pitch =
  'Book personalized coaching sessions, track your progress, and achieve your athletic goals with professional instructors.';

/** The landing page, which visitors see at `/`. */
export function LandingPage({ site, stats, lessons, policy }: LandingProps) {
  return (
    <Page
      site={site}
      title={null}
      description={`${pitch} Find a coach near you, see available lesson times and book online.`}
      path="/"
      structuredData={describeSite(site)}
      isStartOfApp
    >
      <section className="relative overflow-hidden">
        <CornerArc className="absolute top-0 right-0 size-32 rotate-90 md:size-52 lg:hidden" />
        <div className="relative mx-auto w-full max-w-page px-4 pt-14 pb-12 md:pt-20 md:pb-16">
          <TrainingDrill className="absolute -top-px right-4 hidden h-124 w-auto lg:block" />
          <div className="relative">
            <h1 className="max-w-[13ch] text-[2.375rem] leading-[1.08] sm:text-3xl md:text-[3.5rem] md:leading-[1.05] lg:text-[4rem]">
              Connect with Elite Sports Coaches
            </h1>
            <p className="mt-5 max-w-[46ch] text-base text-muted-foreground md:mt-6 md:text-lg">{pitch}</p>
            <div className="mt-8 flex flex-wrap gap-3">
              <Button asChild size="lg" className="max-sm:w-full">
                <a href="/customer/discover">Find Your Coach</a>
              </Button>
              <Button asChild size="lg" variant="secondary" className="max-sm:w-full">
                <a href={joinAsCoach}>Join as Coach</a>
              </Button>
            </div>
          </div>
          <LessonStrip lessons={lessons} now={site.now} />
        </div>
      </section>
      {stats.length > 0 && (
        <div className="border-y bg-card">
          <dl className="mx-auto grid w-full max-w-page auto-cols-fr grid-flow-col px-4">
            {stats.map(({ figure, label }) => (
              <div
                key={label}
                className="flex flex-col-reverse justify-end gap-1 py-7 text-center not-first:border-l md:justify-center md:py-10"
              >
                <dt className="px-2 text-xs text-muted-foreground md:text-sm">{label}</dt>
                <dd className="text-2xl font-semibold tracking-tight tabular-nums md:text-3xl">{figure}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <Features policy={policy} />
      <section
        aria-labelledby="start"
        data-theme="dark"
        className="relative overflow-hidden border-t bg-background text-foreground"
      >
        <WholePitch className="absolute inset-0 size-full max-md:hidden" />
        <CornerArc className="absolute -top-px left-0 size-32 md:hidden" />
        <CornerArc className="absolute right-0 -bottom-px size-32 rotate-180 md:hidden" />
        <div className="relative mx-auto flex w-full max-w-page flex-col items-center px-4 py-18 text-center md:py-28">
          <h2 id="start" className="text-2xl md:text-3xl">
            Your next lesson is a few taps away
          </h2>
          <p className="mt-4 max-w-[46ch] text-muted-foreground">
            Create a free account, pick a time that suits you and meet your coach on the pitch.
          </p>
          <div className="mt-8 flex flex-wrap justify-center gap-3 max-sm:w-full">
            <Button asChild size="lg" className="max-sm:w-full">
              <a href="/signup">Get Started Today</a>
            </Button>
            <Button asChild size="lg" variant="secondary" className="max-sm:w-full">
              <a href="/customer/discover">Browse Coaches</a>
            </Button>
          </div>
        </div>
      </section>
    </Page>
  );
}
