import { dictionary } from '@zxcvbn-ts/language-common';

/** Passwords that anybody would try first, in lower case: those met most often in breaches. */
export const frequentPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
