import { z } from 'zod';

export const recipientTypes = ['Individual', 'Business'] as const;

/** The countries of the bank accounts into which coaches can be paid. */
export const bankCountries = ['GB'] as const;
/** The currencies in which coaches can be paid. */
export const bankCurrencies = ['GBP'] as const;

const accountNameMessage = 'Enter the name on the account.';
const sortCodeMessage = 'A sort code has 6 digits, like 12-34-56.';
const accountNumberMessage = 'An account number has 8 digits. Put zeros in front of a shorter number.';

/** Separators people may type between digits; ‐ to ― are dashes that phones insert and copied text may contain. */
const separators = /[\s.\-‐-―]/g;

const digits = (count: number, message: string, example: string) =>
  z
    .string(message)
    .max(40, message)
    .meta({ examples: [example] })
    .transform((typed) => typed.replace(separators, ''))
    .refine((bare) => new RegExp(`^\\d{${count}}$`).test(bare), message);

/**
 * Bank details as a coach enters them; numbers become bare digits. The name may contain only characters that banks
 * accept in a payment file, and nothing that a spreadsheet reads as a formula.
 */
export const bankDetailsInput = z.object({
  accountName: z
    .string(accountNameMessage)
    .max(200, "The name can't be longer than 70 characters.")
    .meta({ examples: ['Alex Morgan'] })
    .transform((typed) => typed.replace(/[‘’]/g, "'").trim().replace(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .min(1, accountNameMessage)
        .max(70, "The name can't be longer than 70 characters.")
        .regex(
          /^[A-Za-z0-9 &\-.,'/]*$/,
          "Banks accept only plain letters, digits, spaces and & - . , ' / so write é as e, for example.",
        )
        .regex(/^(?:[A-Za-z0-9]|$)/, 'Begin the name with a letter or a digit.'),
    ),
  sortCode: digits(6, sortCodeMessage, '08-99-99'),
  accountNumber: digits(8, accountNumberMessage, '66374958'),
  recipientType: z.enum(recipientTypes, 'Choose individual or business.').default('Individual'),
  bankCountry: z.enum(bankCountries, 'We can only pay into accounts in the United Kingdom.').default('GB'),
  currency: z.enum(bankCurrencies, 'We can only pay in pounds.').default('GBP'),
});
export type BankDetailsInput = z.input<typeof bankDetailsInput>;

/** Groups a sort code while it is typed: "1234" → "12-34". */
export function formatSortCode(typed: string): string {
  return (
    typed
      .replace(/\D/g, '')
      .match(/\d{1,2}/g)
      ?.join('-') ?? ''
  );
}

/** The only part of an account number that screens show: "••••5678". Only payment files contain the whole number. */
export function maskAccountNumber(accountNumber: string): string {
  return `••••${accountNumber.slice(-4)}`;
}

/** The only part of a sort code that screens show: "••-••-56". */
export function maskSortCode(sortCode: string): string {
  return `••-••-${sortCode.slice(-2)}`;
}
