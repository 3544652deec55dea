import { sql } from 'kysely';
import type { Role } from '#domain/access.ts';
import { createAccessTokens } from '#server/auth/sessions/access-token.ts';
import { encryptBankNumbers } from '#server/payouts/bank-details.ts';
import type { Stage } from './stage.ts';

export type Someone = { userId: string; email: string; token: string };
export type Slot = { slotId: string; coach: Someone; seats: number; priceCents: number };

/** Coaches with lessons, customers with cards, admins. */
export type Club = Awaited<ReturnType<typeof openClub>>;

const coaches = 3;
const slotsPerCoach = 7;
const priceCents = 5_000;
// Most pay, some have to ask their bank, one is declined, one has no card.
const cards = [
  ...Array.from({ length: 10 }, () => 'pm_card_visa'),
  ...['pm_card_authenticationRequired', 'pm_card_authenticationRequired'],
  ...['pm_card_chargeCustomerFail', null],
];

/** Fills an empty database with a club; everything else that happens to it goes through HTTP. */
export async function openClub(stage: Stage) {
  const tokens = createAccessTokens(stage.config);
  const db = stage.db();
  let people = 0;
  const join = async (role: Role, card: string | null = null): Promise<Someone> => {
    people += 1;
    const email = `${role}-${people}@faults.example`;
    const customer = card && (await stage.cards.customers.create({}));
    const method = customer && (await saveCard(stage, customer.id, card));
    const { rows } = await sql<{ userId: string; sessionId: string }>`
      with made as (
        insert into users (email, password_hash, email_confirmed_at) values (${email}, 'none', now()) returning user_id
      ), profile as (
        insert into profiles (user_id, email, full_name, roles, stripe_customer_id, stripe_payment_method_id,
          payment_method_brand, payment_method_last_four)
        select user_id, ${email}, ${`Person ${people}`}, array[${role}]::text[], ${customer ? customer.id : null}::text,
          ${method}::text, ${method ? 'visa' : null}::text, ${method ? '4242' : null}::text from made
      ), session as (
        -- As if admins gave their password again whenever it was asked for: what they do takes a fresh proof.
        insert into sessions (user_id, confirmed_at)
        select user_id, now() + case when ${role === 'admin'} then interval '1 day' else interval '0' end from made
        returning user_id, session_id
      ), coach as (
        insert into coaches (coach_id) select user_id from made where ${role === 'coach'}
      )
      select user_id, session_id from session`.execute(db);
    const { userId, sessionId } = rows[0]!;
    const signedInAt = new Date().toISOString();
    const { token } = await tokens.sign({ userId, email, sessionId, signedInAt });
    return { userId, email, token };
  };

  const slots: Slot[] = [];
  const openCoaches: OpenCoach[] = [];
  for (let number = 0; number < coaches; number++) {
    const coach = await openCoach(stage, await join('coach'));
    openCoaches.push(coach);
    for (let slot = 0; slot < slotsPerCoach; slot++) {
      slots.push(await coach.publish(1 + (slot % 4), slot === 4 ? 0 : priceCents));
    }
  }
  const customers = await Promise.all(cards.map((card) => join('customer', card)));
  const admins = [await join('admin'), await join('admin')];
  let ended = 0;
  return {
    slots,
    customers,
    admins,
    /** One more lesson, which is not among `slots`. */
    publish: (seats: number) => openCoaches[0]!.publish(seats, priceCents),
    /** Lets time pass for one lesson: it is over. Each had its own hour. */
    endLesson: async ({ slotId }: Slot) => {
      ended += 1;
      const hoursAgo = 2 * ended;
      await stage
        .db()
        .transaction()
        .execute(async (tx) => {
          const { rows } = await sql`
            update lesson_slots set start_time = now() - ${hoursAgo} * interval '1 hour',
              end_time = now() - ${hoursAgo - 1} * interval '1 hour'
            where slot_id = ${slotId}::uuid and status = 'scheduled' and start_time > now()
            returning slot_id`.execute(tx);
          if (rows.length === 0) return;
          await sql`
            update bookings set during = tstzrange(slot.start_time, slot.end_time) from lesson_slots slot
            where slot.slot_id = ${slotId}::uuid and bookings.slot_id = slot.slot_id and bookings.is_active`.execute(
            tx,
          );
        });
    },
  };
}

async function saveCard(stage: Stage, customer: string, card: string): Promise<string> {
  const { id } = await stage.cards.paymentMethods.attach(card, { customer });
  return id;
}

type OpenCoach = { publish: (seats: number, price: number) => Promise<Slot> };

/** A coach whose lessons are two hours apart, starting in three days; different coaches have them at the same hours. */
async function openCoach(stage: Stage, coach: Someone): Promise<OpenCoach> {
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
  const template = { title: 'Tennis', sport: 'tennis', durationMinutes: 60, basePriceCents: priceCents };
  const { templateId } = await stage
    .db()
    .insertInto('lessonTemplates')
    .values({ ...template, coachId: coach.userId, lessonType: 'group', minCapacity: 2, maxCapacity: 20 })
    .returning('templateId')
    .executeTakeFirstOrThrow();
  let published = 0;
  return {
    publish: async (seats, price) => {
      published += 1;
      const startMs = Date.now() + (72 + published * 2) * 3_600_000;
      const [startTime, endTime] = [startMs, startMs + 3_600_000].map((ms) => new Date(ms).toISOString());
      const { slotId } = await stage
        .db()
        .insertInto('lessonSlots')
        .values({
          ...{
            templateId,
            coachId: coach.userId,
            startTime: startTime!,
            endTime: endTime!,
            priceCents: price,
          },
          ...{ lessonType: seats === 1 ? 'individual' : 'group', minCapacity: 1, maxCapacity: seats },
        })
        .returning('slotId')
        .executeTakeFirstOrThrow();
      return { slotId, coach, seats, priceCents: price };
    },
  };
}
