import { dictionary } from '@zxcvbn-ts/language-common';

/** Common passwords in lower case: those found most often in breaches. */
export const frequentPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
