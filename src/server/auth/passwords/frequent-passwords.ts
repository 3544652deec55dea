import { dictionary } from '@zxcvbn-ts/language-common';

/** The passwords found most often in breaches, in lower case. */
export const frequentPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
