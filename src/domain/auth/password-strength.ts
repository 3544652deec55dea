/** Length limits of a password in UTF-16 units, inclusive. */
export const passwordLength = { min: 8, max: 200 };

/** Why a password is too weak; the reasons are named as in auth-js. */
export type PasswordWeakness = { message: string; reasons: ('length' | 'characters' | 'pwned')[] };

/** Rows of neighbouring keys and letters, for finding keyboard walks. */
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '01234567890', 'abcdefghijklmnopqrstuvwxyz'];

const unleet: Record<string, string> = { '@': 'a', '4': 'a', '0': 'o', '3': 'e', '1': 'i', $: 's', '5': 's' };

const bareOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Checks a new password. Returns the message to show and the reason if the password is too weak, otherwise null. `own`
 * lists the person's name and email address, and the brand; `isFrequent` looks up a lower-case word in the list of
 * passwords that are common in breaches. The rules limit the length but do not require particular kinds of characters
 * (NIST SP 800-63B).
 */
export function findPasswordWeakness(
  password: string,
  { own = [], isFrequent = () => false }: { own?: string[]; isFrequent?: (word: string) => boolean } = {},
): PasswordWeakness | null {
  if (password.length < passwordLength.min) {
    return {
      message: `Choose a password of at least ${passwordLength.min} characters.`,
      reasons: ['length'],
    };
  }
  if (password.length > passwordLength.max) {
    return { message: `Choose a password of at most ${passwordLength.max} characters.`, reasons: ['length'] };
  }
  if (variantsOf(password).some(isFrequent)) {
    return {
      message: 'This password is on lists of stolen passwords. Choose another password.',
      reasons: ['pwned'],
    };
  }
  if (isPattern(password.toLowerCase())) {
    return {
      message: 'This password is a simple pattern. Choose another password, such as a few unrelated words.',
      reasons: ['characters'],
    };
  }
  if (isMadeOf(bareOf(password), own)) {
    return {
      message:
        "This password is too similar to your name, your email address or this site's name. Choose another password.",
      reasons: ['characters'],
    };
  }
  return null;
}

/**
 * The password with and without up to five trailing digits and symbols; each also with look-alike characters replaced
 * by letters.
 */
function variantsOf(password: string): string[] {
  const whole = password.toLowerCase();
  const stem = whole.replace(/[^\p{L}]{1,5}$/u, '');
  return [whole, stem].flatMap((word) => [word, word.replace(/[@40315$]/g, (sign) => unleet[sign]!)]);
}

/**
 * True if a password repeats a short sequence, or consists of runs along the keyboard, the alphabet or the digits that
 * are at least three characters long on average.
 */
function isPattern(lowerCase: string): boolean {
  if (/^(.{1,4})\1+.{0,3}$/su.test(lowerCase)) return true;
  let walks = 1;
  let step = 0;
  for (let at = 1; at < lowerCase.length; at += 1) {
    const next = stepBetween(lowerCase[at - 1]!, lowerCase[at]!);
    const goesOn = next !== null && (step === 0 || next === step);
    if (!goesOn) walks += 1;
    step = goesOn ? next : 0;
  }
  return walks * 3 <= lowerCase.length;
}

/**
 * 1 if `to` comes directly after `from` in one of the `rows`, -1 if directly before, 2 if they are the same; otherwise
 * null.
 */
function stepBetween(from: string, to: string): number | null {
  if (from === to) return 2;
  if (rows.some((row) => row.includes(from + to))) return 1;
  return rows.some((row) => row.includes(to + from)) ? -1 : null;
}

/** True if the password contains words from `own` and fewer than five other characters. */
function isMadeOf(bare: string, own: readonly string[]): boolean {
  const words = own
    .flatMap((text) => [bareOf(text), ...text.split(/[^\p{L}\p{N}]+/u).map(bareOf)])
    .filter((word) => word.length >= 3)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), bare);
  return rest !== bare && rest.length < 5;
}
