import type { Refusal } from '../errors.ts';
import type { DocumentKind } from '../settings/verification-policy.ts';
import { addDays, addMonths, type PlainDate } from '../time.ts';

/**
 * The schemes of criminal record checks: DBS in England and Wales, PVG in Scotland, AccessNI in Northern
 * Ireland. A check counts only in the nations of its scheme (SQL function `scheme_of_nation`).
 */
export const schemeNames = { dbs: 'DBS', pvg: 'PVG', access_ni: 'AccessNI' } as const;
export type CheckScheme = keyof typeof schemeNames;
export const checkSchemes = Object.keys(schemeNames) as [CheckScheme, ...CheckScheme[]];

export const levelNames = {
  basic: 'Basic',
  standard: 'Standard',
  enhanced: 'Enhanced',
  enhanced_barred: "Enhanced with children's barred list",
  pvg: 'PVG scheme member',
} as const;
export type CheckLevel = keyof typeof levelNames;
export const checkLevels = Object.keys(levelNames) as [CheckLevel, ...CheckLevel[]];

export const workforceNames = {
  child: 'Child workforce',
  adult: 'Adult workforce',
  child_and_adult: 'Child and adult workforce',
  other: 'Other workforce',
} as const;
export type Workforce = keyof typeof workforceNames;
export const workforces = Object.keys(workforceNames) as [Workforce, ...Workforce[]];

/** How an admin can see a document, with labels. */
export const methodNames = {
  file: 'The uploaded file',
  original_in_person: 'The original, in person',
  original_by_video: 'The original, by video call',
  update_service: 'The DBS Update Service',
  governing_body: 'Confirmed by the governing body',
} as const;
export type CheckMethod = keyof typeof methodNames;

/** How documents other than criminal record checks are seen. */
export const documentMethods = ['file', 'original_in_person', 'original_by_video', 'governing_body'] as const;
/** How criminal record checks are seen: never as a file. */
export const recordCheckMethods = [
  'original_in_person',
  'original_by_video',
  'update_service',
  'governing_body',
] as const;

export const documentStatuses = ['submitted', 'accepted', 'declined', 'replaced'] as const;

/** How many days before the end of a document to remind its coach. */
export const reminderDays = [60, 30, 7, 0] as const;
/**
 * The default day of the next check: 12 months after a status check with the Update Service, 60 after a PVG
 * certificate, 36 after any other. `seenOn` is the day of the status check.
 */
export function defaultRecheckOn(check: {
  scheme: CheckScheme;
  method: CheckMethod;
  issuedOn: PlainDate;
  seenOn: PlainDate;
}): PlainDate {
  if (check.method === 'update_service') return addMonths(check.seenOn, 12);
  return addMonths(check.issuedOn, check.scheme === 'pvg' ? 60 : 36);
}

const numberPatterns: Record<CheckScheme, { pattern: RegExp; hint: string }> = {
  dbs: { pattern: /^\d{12}$/, hint: 'Enter the 12 digits of the DBS certificate number.' },
  pvg: { pattern: /^\d{16}$/, hint: 'Enter the 16 digits of the PVG membership number.' },
  access_ni: { pattern: /^[A-Z]{0,3}\d{6,12}$/, hint: 'Enter the AccessNI number, such as NI1234567.' },
};

type RecordedCheck = {
  scheme: CheckScheme;
  level: CheckLevel;
  method: CheckMethod;
  number: string;
  issuedOn: PlainDate;
  recheckOn: PlainDate;
};

/** Refuses a criminal record check with an invalid number, level, method or date. `today` is the London day. */
export function refuseRecordCheck(check: RecordedCheck, today: PlainDate): Refusal {
  const fail = (field: string, message: string): Refusal => ({
    code: 'unprocessable',
    message,
    fields: { [field]: message },
  });
  const { pattern, hint } = numberPatterns[check.scheme];
  if (!pattern.test(check.number)) return fail('number', hint);
  if ((check.scheme === 'pvg') !== (check.level === 'pvg')) {
    return fail('level', `This isn't a level of a ${schemeNames[check.scheme]} check. Choose another level.`);
  }
  if (check.method === 'update_service' && check.scheme !== 'dbs') {
    return fail('method', 'The Update Service covers only DBS certificates.');
  }
  if (check.issuedOn > today) return fail('issuedOn', "The issue date can't be in the future.");
  if (check.recheckOn < today) {
    return fail(
      'recheckOn',
      "“Check again by” can't be in the past. If the certificate is old, choose a later date.",
    );
  }
  if (check.recheckOn > addMonths(today, 60)) {
    return fail('recheckOn', 'Choose a day within the next five years.');
  }
  return null;
}

/**
 * Refuses a document that has already ended, ends before it begins, begins more than 90 days from now or counts for
 * more than ten years. `today` is the London day.
 */
export function refuseDates(
  { issuedOn, validUntil }: { issuedOn: PlainDate; validUntil: PlainDate },
  today: PlainDate,
): Refusal {
  const fail = (field: string, message: string): Refusal => ({
    code: 'unprocessable',
    message,
    fields: { [field]: message },
  });
  if (validUntil < issuedOn) return fail('validUntil', "The last day can't be before the first day.");
  if (validUntil < today) return fail('validUntil', 'This document has already ended.');
  if (issuedOn > addDays(today, 90))
    return fail('issuedOn', 'Submit this document at most 90 days before it begins.');
  if (validUntil > addMonths(issuedOn, 120))
    return fail('validUntil', 'The last day must be within ten years of the first day.');
  return null;
}

/** Refuses a status check of a certificate that isn't from DBS, or for another workforce or level than its own. */
export function refuseStatusCheck(
  certificate: {
    kind: DocumentKind;
    scheme: CheckScheme | null;
    level: string | null;
    workforce: string | null;
  },
  asked: { level: CheckLevel; workforce: Workforce },
): Refusal {
  if (certificate.scheme !== 'dbs') {
    return { code: 'unprocessable', message: 'The Update Service covers only DBS certificates.' };
  }
  if (certificate.level !== asked.level || certificate.workforce !== asked.workforce) {
    const message = 'You can ask the Update Service only for the level and workforce on the certificate.';
    return { code: 'unprocessable', message };
  }
  return null;
}
