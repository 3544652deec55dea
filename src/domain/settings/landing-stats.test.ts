import { describe, expect, test } from 'vitest';
import { describeCounts, landingStatsInput, shownStats } from './landing-stats.ts';

const clubs = { figure: '40+', label: 'clubs' };
const reviews = { figure: '10K+', label: 'five-star reviews' };

describe('shownStats', () => {
  test('shows typed figures except those about reviews', () => {
    expect(shownStats({ mode: 'typed', stats: [clubs, reviews] })).toEqual([clubs]);
  });

  test('shows no typed figures if figures are hidden or counted', () => {
    for (const mode of ['hidden', 'counted'] as const)
      expect(shownStats({ mode, stats: [clubs] })).toEqual([]);
  });
});

describe('landingStatsInput', () => {
  test('refuses figures about reviews only if they would be shown', () => {
    const accepts = (mode: string, stats: object[]) => landingStatsInput.safeParse({ mode, stats }).success;
    expect(accepts('typed', [clubs])).toBe(true);
    expect(accepts('typed', [clubs, reviews])).toBe(false);
    expect(accepts('hidden', [reviews])).toBe(true);
    for (const label of ['starters', 'lessons started', 'rationed balls', 'celebrated coaches']) {
      expect(accepts('typed', [{ figure: '1', label }]), label).toBe(true);
    }
  });
});

describe('describeCounts', () => {
  test('writes exact numbers, uses the singular for one and leaves out zeros', () => {
    expect(describeCounts({ coaches: 1, fiveStars: 0, lessons: 12345 })).toEqual([
      { figure: '1', label: 'active coach' },
      { figure: '12,345', label: 'lessons completed' },
    ]);
    expect(describeCounts({ coaches: 0, fiveStars: 0, lessons: 0 })).toEqual([]);
  });
});
