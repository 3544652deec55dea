import Bell from 'lucide-react/icons/bell';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import CreditCard from 'lucide-react/icons/credit-card';
import GraduationCap from 'lucide-react/icons/graduation-cap';
import ShieldCheck from 'lucide-react/icons/shield-check';
import TrendingUp from 'lucide-react/icons/trending-up';
import { describeCoaches } from '#domain/settings/coach-claims.ts';
import type { VerificationPolicy } from '#domain/settings/verification-policy.ts';

const featuresOf = ({ coaches, trust }: ReturnType<typeof describeCoaches>) => [
  {
    icon: CalendarCheck,
    title: 'Easy booking',
    text: 'See which places are free right now, book in a minute and get your confirmation immediately.',
  },
  {
    icon: CreditCard,
    title: 'Secure payments',
    text: 'Pay with a saved card. You can read the cancellation terms before you pay.',
  },
  { icon: GraduationCap, ...coaches },
  { icon: ShieldCheck, ...trust },
  {
    icon: TrendingUp,
    title: 'Progress tracking',
    text: "Coaches can share session notes and feedback after a lesson, so you can see how far you've come.",
  },
  {
    icon: Bell,
    title: 'Instant notifications',
    text: 'Know straight away when a lesson is booked, moved or cancelled.',
  },
];

/** The six features of LAND-3. Claims about the coaches depend on the verification policy. */
export function Features({ policy }: { policy: VerificationPolicy }) {
  const features = featuresOf(describeCoaches(policy));
  return (
    <section aria-labelledby="features" className="mx-auto w-full max-w-page px-4 py-16 md:py-24">
      <h2 id="features" className="max-w-[24ch] text-2xl md:text-3xl">
        Everything you need around the lesson
      </h2>
      <ul className="mt-8 grid gap-x-10 sm:grid-cols-2 md:mt-12 lg:grid-cols-3">
        {features.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-4 border-t py-6 md:py-8">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-primary" />
            <div>
              <h3 className="text-base">{title}</h3>
              <p className="mt-1.5 text-sm text-muted-foreground">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
