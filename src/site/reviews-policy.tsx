import { reviewsPolicyPath } from '#domain/pages.ts';
import { removalReasonNames, removalReasons, reviewsUntilStars, reviewTimes } from '#domain/reviews/rules.ts';
import { Page, type Site } from './page.tsx';

/** Figures about reviews for the last 12 months; `fiveStars` counts all years. */
export type PolicyFigures = {
  published: number;
  fiveStars: number;
  reported: number;
  kept: number;
  removed: Record<(typeof removalReasonNames)[number], number>;
  appealed: number;
  restored: number;
};

/** "How reviews work": the rules for reviews, and how often they were applied. */
export function ReviewsPolicyPage({ site, figures }: { site: Site; figures: PolicyFigures }) {
  const removed = Object.values(figures.removed).reduce((sum, count) => sum + count, 0);
  const rows: [string, number][] = [
    ['Reviews published', figures.published],
    ['Texts reported', figures.reported],
    ['Decisions to keep a text', figures.kept],
    ['Texts removed', removed],
    ...removalReasonNames.map((name): [string, number] => [
      `– ${removalReasons[name]}`,
      figures.removed[name],
    ]),
    ['Appeals', figures.appealed],
    ['Texts restored after an appeal', figures.restored],
    ['Published reviews with five stars, over all years', figures.fiveStars],
  ];
  return (
    <Page
      site={site}
      title="How reviews work"
      description={`Who can review coaches on ${site.brand}, how we check and remove reviews, and what the stars mean.`}
      path={reviewsPolicyPath}
    >
      <article className="mx-auto w-full max-w-page px-4 py-10 md:py-14">
        <h1>How reviews work</h1>
        <div className="mt-6 max-w-reading space-y-4 [&_h2]:pt-4 [&_h2]:text-lg [&_ul]:list-disc [&_ul]:space-y-1.5 [&_ul]:pl-5">
          <h2>Who can write</h2>
          <p>
            Only the person who paid for a lesson can review its coach, once the lesson is over and the coach
            has marked it as attended. If the coach doesn't mark attendance, the lesson counts after{' '}
            {reviewTimes.unmarkedCountsAfterHours} hours. If the coach marks it as missed and you were there,
            tell us: an admin will decide. Every review therefore comes from a verified booking.
          </p>
          <p>
            Free lessons can't be reviewed, because without a payment we can't tell a customer from somebody
            with several accounts. A refund after the lesson makes no difference: anyone who paid can still
            say how it was.
          </p>
          <ul>
            <li>
              A customer can write one review of each coach every 12 months, and edit it during that time.
            </li>
            <li>A lesson can be reviewed for {reviewTimes.openDays} days.</li>
            <li>
              Coaches and their teams can't review each other. The same goes for anyone who pays with one of
              their cards. For each coach, only one review from the same card counts in 12 months.
            </li>
            <li>
              We invite everyone who can review a coach, once in 12 months: a day after the lesson, or later
              if that is when they can first review it. What they've told us before makes no difference.
            </li>
          </ul>
          <h2>Fake and rewarded reviews are banned</h2>
          <p>
            Nobody may write, order, buy or sell a review that isn't based on real experience, or offer or
            accept a reward for one. We give no reward for reviews, good or bad, and coaches mustn't either.
            We remove reviews that break this rule.
          </p>
          <h2>How we check</h2>
          <p>
            Every review is checked automatically for links, contact details and names of people who take
            part. It is published {reviewTimes.publishedAfterHours} hours after it is written, whatever its
            number of stars. If the checks find something, an admin looks at it. A review is public no later
            than {reviewTimes.publishedWithinHours} hours after it is written. If there is no decision by
            then, we leave out what the checks found.
          </p>
          <p>
            We show the author's first name and an initial, or that they are the parent of a junior or the
            family of a participant. We never show who took part. Coaches don't rate customers. A coach can
            reply to a review once, publicly.
          </p>
          <h2>What we remove</h2>
          <p>
            Anyone can report a review or a reply. An admin decides within{' '}
            {reviewTimes.decidedWithinWorkingDays} working days and removes a text only for one of these
            reasons. A low rating is never a reason.
          </p>
          <ul>
            {removalReasonNames.map((name) => (
              <li key={name}>{removalReasons[name]}</li>
            ))}
          </ul>
          <p>
            We notify the author, and the person who reported it if they were signed in. If we remove a text,
            its author can appeal; if we keep it, the person who reported it can. Each of them can appeal once
            within {reviewTimes.appealDays} days. If there is another admin, that admin decides the appeal,
            and nobody decides on a review of themselves.
          </p>
          <h2>What the stars mean</h2>
          <p>
            Once there are {reviewsUntilStars} reviews, we show the plain average of the stars of all
            published reviews from the last 24 months, with their number and how many have one to five stars.
            No review counts more than another. With fewer reviews we show “New”. The reviews themselves are
            always shown, newest first. If authors delete their accounts, their reviews are deleted with them.
          </p>
          <h2>What we did in the last 12 months</h2>
        </div>
        <dl className="mt-4 max-w-reading divide-y border-y text-sm tabular-nums">
          {rows.map(([name, count]) => (
            <div key={name} className="flex justify-between gap-6 py-2">
              <dt>{name}</dt>
              <dd className="font-medium">{count}</dd>
            </div>
          ))}
        </dl>
      </article>
    </Page>
  );
}
