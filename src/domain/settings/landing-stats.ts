import { z } from 'zod';
import { oneLine } from '../text.ts';

const landingStat = z
  .object({
    figure: oneLine()
      .min(1, 'Enter the figure, such as 500+.')
      .max(12, 'Enter at most 12 characters.')
      .meta({ examples: ['500+'] }),
    label: oneLine()
      .min(1, 'Enter what the figure counts.')
      .max(40, 'Enter at most 40 characters.')
      .meta({ examples: ['active coaches'] }),
  })
  .meta({ id: 'LandingStat', description: 'One figure on the landing page: "500+" over "active coaches".' });
type LandingStat = z.output<typeof landingStat>;

/** The maximum number of figures on the landing page. */
export const landingStatLimit = 3;

const landingStatModes = ['hidden', 'typed', 'counted'] as const;

export const landingStats = z.object({
  mode: z
    .enum(landingStatModes, 'Choose how the figures are shown.')
    .describe(
      'Whether the landing page shows no figures, those that the operator typed, or the numbers of active coaches, five-star reviews and completed lessons. Typed figures are kept in every mode.',
    ),
  stats: z
    .array(landingStat)
    .max(landingStatLimit, `The landing page has room for ${landingStatLimit} figures.`),
});
export type LandingStats = z.output<typeof landingStats>;

/** Whether a typed figure counts reviews, stars or ratings. Only our records may state such figures (REVIEW-7). */
const isAboutReviews = ({ figure, label }: LandingStat) =>
  /review|\bstars?\b|★|⭐|\brat(ed|ings?)\b/i.test(`${figure} ${label}`);

/** The input that admins save. If the typed figures are shown, none of them may count reviews. */
export const landingStatsInput = landingStats.superRefine(({ mode, stats }, context) => {
  if (mode !== 'typed') return;
  stats.forEach((stat, index) => {
    if (!isAboutReviews(stat)) return;
    context.addIssue({
      code: 'custom',
      path: ['stats', index, 'label'],
      message: 'Figures about reviews can only be counted. Choose “Counted”, or remove this one.',
    });
  });
});

/**
 * The typed figures that the landing page shows. Figures about reviews that were saved before this rule are left out.
 */
export const shownStats = ({ mode, stats }: LandingStats): LandingStat[] =>
  mode === 'typed' ? stats.filter((stat) => !isAboutReviews(stat)) : [];

/** The figures that the landing page can count. */
export type LandingCounts = { coaches: number; fiveStars: number; lessons: number };

/** The counted figures, without those that are zero. */
export function describeCounts({ coaches, fiveStars, lessons }: LandingCounts): LandingStat[] {
  const figures: [number, one: string, many: string][] = [
    [coaches, 'active coach', 'active coaches'],
    [fiveStars, 'five-star review', 'five-star reviews'],
    [lessons, 'lesson completed', 'lessons completed'],
  ];
  return figures
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => ({
      figure: number.toLocaleString('en-GB'),
      label: number === 1 ? one : many,
    }));
}
