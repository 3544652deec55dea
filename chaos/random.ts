import { Dice } from '#tools/stripe-sandbox/switches.ts';

/** Random choices that are reproducible by seed and name. Choices under different names are independent. */
export type Chance = {
  /** A whole number from `least` to `most`, both included. */
  between: (least: number, most: number) => number;
  pick: <T>(list: readonly T[]) => T;
  hits: (rate: number) => boolean;
};

export function createChance(seed: number, name: string): Chance {
  let state = seed;
  for (const letter of name) state = (Math.imul(state, 31) + letter.charCodeAt(0)) | 0;
  const dice = new Dice(state);
  const between = (least: number, most: number) => least + Math.floor(dice.next() * (most - least + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
    hits: (rate) => dice.hits(rate),
  };
}
