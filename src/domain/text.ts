import { z } from 'zod';

// C0 but for tab and the ends of lines, delete and C1, and what turns the direction of all text after it (Unicode's
// bidirectional embeddings, overrides and isolates), with which a name could make a mail or a list read otherwise.
const controls = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
const lineEnds = /[\t\n\r\u2028\u2029]/u;

const withoutControls =
  'There are invisible control characters in this. Please type it instead of pasting it.';

/** Text of one line that a person typed, trimmed. `missing` is said where it is no text at all. */
export const oneLine = (missing?: string) =>
  z
    .string(missing)
    .trim()
    .refine((text) => !controls.test(text), withoutControls)
    .refine((text) => !lineEnds.test(text), 'Write this in one line.');

/** Text of several lines that a person typed, trimmed. */
export const someLines = () =>
  z
    .string()
    .trim()
    .refine((text) => !controls.test(text), withoutControls);
