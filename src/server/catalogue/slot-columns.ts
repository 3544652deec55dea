import { coachSlot, coachSlotDetail, openSlot, slotAvailability } from '#domain/catalogue/slots-contract.ts';
import { keptFields, type LessonTemplate, liveFields } from '#domain/catalogue/template.ts';
import type { LessonSlots, LessonTemplates } from '#server/platform/db/db-types.ts';

type Kept = Pick<LessonTemplate, (typeof keptFields)[number]>;

/** The columns of a new slot that are copied from its template. */
export const copyTemplate = (template: Kept & Pick<LessonTemplate, 'basePriceCents'>) => ({
  ...(Object.fromEntries(keptFields.map((field) => [field, template[field]])) as Kept),
  priceCents: template.basePriceCents,
});

/** Fields of a slot that are joined or calculated, so each query adds them itself. */
const addedFields = ['location', 'coachName', 'coachAddress', 'coachAvatarUrl', 'customerName'] as const;

type ColumnOf<Field extends string> = Field extends (typeof liveFields)[number]
  ? `t.${Field}`
  : Field extends (typeof addedFields)[number]
    ? never
    : `s.${Field}`;
type Column = `s.${keyof LessonSlots}` | `t.${keyof LessonTemplates}`;

/** Maps each field of a contract to the column of the same name in the template `t` or the slot `s`. */
const columnsOf = <Field extends string>({ shape }: { shape: Record<Field, unknown> }) =>
  Object.keys(shape)
    .filter((field) => !addedFields.some((added) => added === field))
    .map((field) => `${liveFields.some((live) => live === field) ? 't' : 's'}.${field}`) as ColumnOf<Field>[];

/** The columns of a slot as customers see it, in discover and on its page. They are derived from the contract. */
export const openSlotColumns = columnsOf(openSlot) satisfies Column[];

/** The columns of a slot in its coach's calendar; {@link coachSlotDetailColumns} are the columns on the slot's page. */
export const coachSlotColumns = columnsOf(coachSlot) satisfies Column[];
export const coachSlotDetailColumns = columnsOf(coachSlotDetail) satisfies Column[];

/** The columns of a slot that may change while people look at it. */
export const availabilityColumns = columnsOf(slotAvailability) satisfies Column[];
