import type { Role } from '#domain/access.ts';
import { careApi } from '#domain/accounts/care-contract.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { encryptBankNumbers } from '#server/payouts/bank-details.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { bornYearsAgo, plainCare } from '#server/test-support/family.test-support.ts';
import { addSlot, addTemplate, putLesson } from '#server/test-support/lessons.test-support.ts';
import { addPerson } from '#server/test-support/people.test-support.ts';
import type { LoadStage } from './stage.ts';

export type Slot = { slotId: string; coach: Someone; seats: number; priceCents: number };

/** Coaches with lessons, customers (most with cards, and every second one with two children), and admins. */
export type Club = Awaited<ReturnType<typeof openClub>>;

const coaches = 3;
const slotsPerCoach = 7;
// Some lessons have one seat, and others have enough for families.
const seatsOfSlots = [1, 2, 6, 9];
const priceCents = 5_000;
// Most cards can be charged, two need 3-D Secure, one is declined, and one customer has no card.
const cards = [
  ...Array.from({ length: 10 }, () => 'pm_card_visa'),
  ...['pm_card_authenticationRequired', 'pm_card_authenticationRequired'],
  ...['pm_card_chargeCustomerFail', null],
];

/** Fills an empty database with a club. All later operations, except the two returned functions, go through HTTP. */
export async function openClub(stage: LoadStage) {
  const { config } = stage;
  let people = 0;
  const join = async (role: Role, card: string | null = null): Promise<Someone> => {
    people += 1;
    const email = `${role}-${people}@faults.example`;
    const db = stage.db();
    const person = await addPerson({ db, config }, { email, fullName: `Person ${people}`, roles: [role] });
    if (card) {
      const { id: customer } = await stage.cards.customers.create({});
      const { id: method } = await stage.cards.paymentMethods.attach(card, { customer });
      const saved = { paymentMethodBrand: 'visa', paymentMethodLastFour: '4242' };
      await db
        .updateTable('profiles')
        .set({ ...saved, stripeCustomerId: customer, stripePaymentMethodId: method })
        .where('userId', '=', person.userId)
        .execute();
    }
    if (role === 'admin') {
      // Admin calls need a recent proof of identity; with a time in the future, it stays recent throughout
      // the run.
      const confirmedAt = new Date(Date.now() + 86_400_000).toISOString();
      await db.updateTable('sessions').set({ confirmedAt }).where('userId', '=', person.userId).execute();
    }
    return person;
  };

  const slots: Slot[] = [];
  const openCoaches: OpenCoach[] = [];
  for (let number = 0; number < coaches; number++) {
    const coach = await openCoach(stage, await join('coach'));
    openCoaches.push(coach);
    for (let slot = 0; slot < slotsPerCoach; slot++) {
      slots.push(await coach.publish(seatsOfSlots[slot % 4]!, slot === 4 ? 0 : priceCents));
    }
  }
  const customers = await Promise.all(cards.map((card) => join('customer', card)));
  const admins = [await join('admin'), await join('admin')];
  const families: Family[] = await Promise.all(
    customers
      .filter((_, index) => index % 2 === 0)
      .map(async (parent) => ({ parent, people: [parent.userId, ...(await addChildren(stage, parent))] })),
  );
  let ended = 0;
  return {
    slots,
    customers,
    families,
    admins,
    /** Publishes one more lesson, which is not in `slots`. */
    publish: (seats: number) => openCoaches[0]!.publish(seats, priceCents),
    /** Moves a lesson into the past, to a time that no other lesson has. */
    endLesson: async ({ slotId }: Slot) => {
      ended += 1;
      const startMs = Date.now() - 2 * ended * 3_600_000;
      await putLesson(stage.db(), slotId, { startMs, onlyUpcoming: true });
    },
  };
}

/** A parent, and the ids of the people that the parent books for, the parent's own id first. */
export type Family = { parent: Someone; people: string[] };

/** Adds two children whose care details are complete; returns their ids. */
async function addChildren({ call, sides }: LoadStage, parent: Someone): Promise<string[]> {
  const ids: string[] = [];
  for (const fullName of ['Mia Person', 'Leo Person']) {
    const child = { fullName, dateOfBirth: bornYearsAgo(10), relation: 'parent', isAdult: true } as const;
    const { body } = await call(sides[0], parent, participantsApi.add, child);
    const { participantId } = body!.participant;
    const care = { participantId, ...plainCare, medicalConsent: consentTexts.medical.version };
    const { error } = await call(sides[0], parent, careApi.saveCare, care);
    if (error) throw error;
    ids.push(participantId);
  }
  return ids;
}

type OpenCoach = { publish: (seats: number, price: number) => Promise<Slot> };

/** Sets up a coach whose lessons are two hours apart, starting in three days. All coaches use the same times. */
async function openCoach(stage: LoadStage, coach: Someone): Promise<OpenCoach> {
  const account = { sortCode: '089999', accountNumber: '66374958' };
  await stage
    .db()
    .insertInto('coachBankDetails')
    .values({
      coachId: coach.userId,
      accountName: 'Ana Souza',
      ...encryptBankNumbers(stage.config.dataKeys, coach.userId, account),
    })
    .execute();
  const templateId = await addTemplate(stage.db(), coach.userId);
  let published = 0;
  return {
    publish: async (seats, price) => {
      published += 1;
      const startMs = Date.now() + (72 + published * 2) * 3_600_000;
      const when = { startMs, seats, priceCents: price };
      const slotId = await addSlot(stage.db(), { templateId, coachId: coach.userId, ...when });
      return { slotId, coach, seats, priceCents: price };
    },
  };
}
