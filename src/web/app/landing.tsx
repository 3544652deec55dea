import { Link } from '@tanstack/react-router';
import Bell from 'lucide-react/icons/bell';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import CreditCard from 'lucide-react/icons/credit-card';
import GraduationCap from 'lucide-react/icons/graduation-cap';
import ShieldCheck from 'lucide-react/icons/shield-check';
import TrendingUp from 'lucide-react/icons/trending-up';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { CornerArc, HalfPitch } from '#web/ui/pitch-lines.tsx';
import { useProduct } from './product.ts';

const features = [
  {
    icon: CalendarCheck,
    title: 'Easy booking',
    text: 'See which places are free right now, book in a minute and get your confirmation at once.',
  },
  {
    icon: CreditCard,
    title: 'Secure payments',
    text: 'Pay with a saved card, and cancel under terms you have read before you pay.',
  },
  {
    icon: GraduationCap,
    title: 'Expert verified coaches',
    text: 'Professional instructors in your sport, from first steps to competition.',
  },
  {
    icon: ShieldCheck,
    title: 'Trusted platform',
    text: 'Coaches are background-checked and insured before they teach here.',
  },
  {
    icon: TrendingUp,
    title: 'Progress tracking',
    text: 'Session notes and feedback after your lessons show how far you have come.',
  },
  {
    icon: Bell,
    title: 'Instant notifications',
    text: 'Know straight away when a lesson is booked, moved or cancelled.',
  },
];

/** What a visitor sees first. `lessons`: a strip of real lessons that are coming up. */
export function LandingScreen({ lessons }: { lessons: ReactNode }) {
  return (
    <>
      <section className="relative overflow-hidden">
        <HalfPitch className="absolute inset-y-0 -right-40 hidden h-full w-160 opacity-80 md:block" />
        <CornerArc className="absolute top-0 right-0 size-32 rotate-90 md:hidden" />
        <div className="relative mx-auto w-full max-w-page px-4 pt-14 pb-10 md:pt-24 md:pb-14">
          <h1 className="max-w-[18ch] text-[2.25rem] sm:text-3xl md:text-[3.25rem] md:leading-[1.08]">
            Connect with Elite Sports Coaches
          </h1>
          <p className="mt-5 max-w-[52ch] text-base text-muted-foreground md:text-lg">
            Book personalized coaching sessions, track your progress, and achieve your athletic goals with
            professional instructors.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button asChild size="lg" className="max-sm:w-full">
              <Link to="/customer/discover">Find Your Coach</Link>
            </Button>
            <Button asChild size="lg" variant="secondary" className="max-sm:w-full">
              <Link to="/signup">Join as Coach</Link>
            </Button>
          </div>
          {lessons}
        </div>
      </section>
      <Stats />
      <section aria-labelledby="features" className="mx-auto w-full max-w-page px-4 py-14 md:py-20">
        <h2 id="features" className="text-2xl">
          Everything around the lesson, taken care of
        </h2>
        <ul className="mt-8 grid gap-x-10 sm:grid-cols-2 lg:grid-cols-3">
          {features.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex gap-4 border-t py-6">
              <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" />
              <div>
                <h3 className="text-base">{title}</h3>
                <p className="mt-1.5 text-sm text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="start" className="relative overflow-hidden border-t">
        <CornerArc className="absolute -top-px left-0 size-56 max-md:size-32" />
        <CornerArc className="absolute right-0 -bottom-px size-56 rotate-180 max-md:size-32" />
        <div className="relative mx-auto flex w-full max-w-page flex-col items-center px-4 py-16 text-center md:py-24">
          <h2 id="start" className="text-2xl">
            Your next lesson is a few taps away
          </h2>
          <p className="mt-3 max-w-[46ch] text-muted-foreground">
            Create a free account, pick a time that suits you and meet your coach on the pitch.
          </p>
          <div className="mt-8 flex flex-wrap justify-center gap-3 max-sm:w-full">
            <Button asChild size="lg" className="max-sm:w-full">
              <Link to="/signup">Get Started Today</Link>
            </Button>
            <Button asChild size="lg" variant="secondary" className="max-sm:w-full">
              <Link to="/customer/discover">Browse Coaches</Link>
            </Button>
          </div>
        </div>
      </section>
    </>
  );
}

/** The operator's figures; nothing where there are none. Their place is kept until that is known. */
function Stats() {
  const { landingStats, isKnown } = useProduct();
  if (isKnown && landingStats.length === 0) return null;
  return (
    <div className="border-y">
      <dl className="mx-auto grid min-h-31 w-full max-w-page auto-cols-fr grid-flow-col px-4 md:min-h-36">
        {landingStats.map(({ figure, label }) => (
          <div
            key={label}
            className="flex flex-col-reverse justify-end gap-1 md:justify-center py-6 text-center not-first:border-l"
          >
            <dt className="px-2 text-xs text-muted-foreground md:text-sm">{label}</dt>
            <dd className="text-2xl font-semibold tracking-tight tabular-nums md:text-3xl">{figure}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
