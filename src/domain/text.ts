import { z } from 'zod';

// Control characters (C0 except tab and line ends, delete, C1), and characters that change the direction of all text
// after them (Unicode's bidirectional embeddings, overrides and isolates). In a name, such a character could garble an
// email or a list.
const controls = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;
const lineEnds = /[\t\n\r\u2028\u2029]/u;

const withoutControls = 'This text contains invisible control characters. Type it instead of pasting it.';

/** One line of typed text, trimmed. `missing` is the message for a value that is not text. */
export const oneLine = (missing?: string) =>
  z
    .string(missing)
    .trim()
    .refine((text) => !controls.test(text), withoutControls)
    .refine((text) => !lineEnds.test(text), 'Enter this on one line.');

/** Several lines of typed text, trimmed. */
export const someLines = () =>
  z
    .string()
    .trim()
    .refine((text) => !controls.test(text), withoutControls);
