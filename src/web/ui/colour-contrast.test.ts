import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Colour = { l: number; c: number; h: number };

const css = readFileSync(new URL('../styles.css', import.meta.url), 'utf8');

function parseColour(text: string, hue = 0): Colour {
  const [l, c, h] = text.replace('var(--sport-hue)', String(hue)).split(/\s+/).map(Number);
  return { l: l!, c: c!, h: h! };
}

/** A token from styles.css in one theme, such as `token('primary', 'dark')`; sport tokens need a hue in degrees. */
function token(name: string, theme: 'light' | 'dark', hue?: number): Colour {
  const property = hue === undefined ? `--${name}` : `--color-${name}`;
  const pair = new RegExp(
    `\\s${property}:\\s*light-dark\\(\\s*oklch\\(([^;]+?)\\),\\s*oklch\\(([^;]+?)\\)\\s*\\);`,
  ).exec(css);
  if (!pair) throw new Error(`styles.css has no ${property}`);
  return parseColour(theme === 'light' ? pair[1]! : pair[2]!, hue);
}

/** Relative luminance as in WCAG 2. OKLab to linear sRGB after Ottosson; clips channels out of gamut, as screens do. */
function luminance({ l, c, h }: Colour): number {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (channel: number) => Math.min(1, Math.max(0, channel));
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['background', 'card', 'popover'];

/** Text and its background, which need a contrast of at least 4.5:1 (WCAG 2). */
const textPairs: [string, string][] = [
  ['foreground', 'selected'],
  ...[...grounds, 'muted', 'accent'].flatMap((ground): [string, string][] => [
    ['foreground', ground],
    ['muted-foreground', ground],
  ]),
  ...grounds.flatMap((ground): [string, string][] => [
    ['primary', ground],
    ['success', ground],
    ['warning', ground],
    ['destructive', ground],
  ]),
  ['foreground', 'primary-soft'],
  ['primary', 'primary-soft'],
  ['success', 'success-soft'],
  ['warning', 'warning-soft'],
  ['destructive', 'destructive-soft'],
  ['primary-foreground', 'primary'],
  ['primary-foreground', 'primary-hover'],
  ['destructive-foreground', 'destructive'],
  ['destructive-foreground', 'destructive-hover'],
];

/** Edges of controls, focus rings, dots and icons with their background: a contrast of at least 3:1 (WCAG 2). */
const controlPairs: [string, string][] = grounds.flatMap((ground): [string, string][] => [
  ['input', ground],
  ['ring', ground],
  ['primary', ground],
  ['success-mark', ground],
  ['warning-mark', ground],
  ['destructive', ground],
]);

const hues = Array.from({ length: 72 }, (_, step) => step * 5);

describe.each(['light', 'dark'] as const)('The %s theme', (theme) => {
  test.each(textPairs)('keeps %s readable on %s', (ink, ground) => {
    expect(contrast(token(ink, theme), token(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(controlPairs)('keeps %s visible on %s', (mark, ground) => {
    expect(contrast(token(mark, theme), token(ground, theme))).toBeGreaterThanOrEqual(3);
  });

  test('keeps hues in steps of 5° visible as sport colours, and text on them readable', () => {
    for (const hue of hues) {
      const soft = token('sport-soft', theme, hue);
      expect(
        contrast(token('sport', theme, hue), token('background', theme)),
        `dot ${hue}`,
      ).toBeGreaterThanOrEqual(3);
      expect(contrast(token('sport', theme, hue), soft), `edge ${hue}`).toBeGreaterThanOrEqual(3);
      expect(contrast(token('foreground', theme), soft), `text ${hue}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token('muted-foreground', theme), soft), `muted text ${hue}`).toBeGreaterThanOrEqual(
        4.5,
      );
      expect(
        contrast(token('sport-solid-foreground', theme, hue), token('sport-solid', theme, hue)),
        `solid ${hue}`,
      ).toBeGreaterThanOrEqual(4.5);
    }
  });
});
