import type { Refusal } from '../errors.ts';

type ConsentText = {
  /** Increase this whenever the text changes. Each consent stores the version that was agreed to. */
  version: string;
  title: string;
  text: string;
  /** Labels of the choices. The first choice is a refusal or a withdrawal. */
  choices: Readonly<Record<string, string>>;
};

/** The questions for guardians. Earlier versions are in this file's Git history. */
export const consentTexts = {
  photos: {
    version: '2026-11-1',
    title: 'Photos and videos',
    text: 'May photos and videos be taken in lessons?',
    choices: {
      none: 'No photos or videos',
      coaching: 'For coaching only: shown to nobody outside the lesson',
      club: "Also on the club's own website and social media",
    },
  },
  first_aid: {
    version: '2026-11-1',
    title: 'First aid',
    text: 'If it is needed, may the coach give first aid and call an ambulance?',
    choices: { no: 'No', yes: 'Yes' },
  },
  medical: {
    version: '2026-11-2',
    title: 'Notes about health and needs',
    text: "You may keep the notes that I enter about health, medication and needs. They are encrypted. Only the coach of a booked lesson, and the owners and the welfare officers of the coach's business, can read them, from 7 days before the lesson until 24 hours after it. An admin can open them only with a reason, which is emailed to me. I see who has read them. I can withdraw this at any time, and the notes are then deleted.",
    choices: { no: 'No', yes: 'I agree' },
  },
} as const satisfies Record<string, ConsentText>;

export type ConsentKind = keyof typeof consentTexts;
export const consentKinds = Object.keys(consentTexts) as [ConsentKind, ...ConsentKind[]];

export type ConsentChoice = {
  [Kind in ConsentKind]: keyof (typeof consentTexts)[Kind]['choices'];
}[ConsentKind];
export const consentChoices = ['none', 'coaching', 'club', 'yes', 'no'] as const satisfies ConsentChoice[];

/** The choices of one kind. */
export type ChoiceOf<Kind extends ConsentKind> = keyof (typeof consentTexts)[Kind]['choices'] & ConsentChoice;

export const choicesOf = <Kind extends ConsentKind>(kind: Kind) =>
  Object.keys(consentTexts[kind].choices) as [ChoiceOf<Kind>, ...ChoiceOf<Kind>[]];

/** A choice as the family reads it. A choice that the text no longer offers is shown by its name. */
export function describeChoice(kind: ConsentKind, choice: ConsentChoice): string {
  const choices: Partial<Record<ConsentChoice, string>> = consentTexts[kind].choices;
  return choices[choice] ?? choice;
}

/** The consents in force; a kind that was never answered is absent. */
export type ConsentsInForce = { [Kind in ConsentKind]?: ChoiceOf<Kind> };

/** True if a choice refuses or withdraws a consent. */
export const isWithdrawal = (choice: ConsentChoice): boolean => choice === 'none' || choice === 'no';

/**
 * True if a choice allows less than the previous one. `before` is null if nothing was answered yet, which allows
 * nothing.
 */
export function isReduced(kind: ConsentKind, before: ConsentChoice | null, after: ConsentChoice): boolean {
  const choices: ConsentChoice[] = choicesOf(kind);
  return before !== null && choices.indexOf(after) < choices.indexOf(before);
}

type Given = { kind: ConsentKind; choice: ConsentChoice; textVersion: string };

/** Refuses a choice that the kind doesn't have, and an outdated text unless the choice is a withdrawal. */
export function refuseConsent({ kind, choice, textVersion }: Given): Refusal {
  const { choices, version } = consentTexts[kind];
  if (!Object.hasOwn(choices, choice)) {
    const message = 'Choose one of the answers.';
    return { code: 'unprocessable', message, fields: { choice: message } };
  }
  if (isWithdrawal(choice) || textVersion === version) return null;
  return { code: 'conflict', message: 'The wording has changed. Please read it again.' };
}

/**
 * Refuses to save notes without consent, or with consent to an outdated text. `current`: the consent in force;
 * `textVersion`: the version agreed to in this call.
 */
export function refuseNotesWithoutConsent(
  current: ConsentChoice | null,
  textVersion: string | undefined,
): Refusal {
  if (textVersion !== undefined) return refuseConsent({ kind: 'medical', choice: 'yes', textVersion });
  if (current === 'yes') return null;
  const message = 'Please agree that we may keep these notes, or remove them.';
  return { code: 'unprocessable', message, fields: { medicalConsent: message } };
}
