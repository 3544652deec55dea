import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect } from 'vitest';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { type Endpoint, hasBody } from '#domain/endpoint.ts';
import type { ErrorBody } from '#domain/errors.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { apiAreas } from '#server/api-areas.ts';
import { closeMonths } from '#server/bookings/close-months.ts';
import type { ApiDescription, Operation } from '#server/platform/openapi/describe-api.ts';
import type { JsonSchema } from '#server/platform/openapi/json-schema.ts';
import type { Response } from '#server/platform/openapi/refusals.ts';
import { writeProgress } from '#server/progress/progress-rows.test-support.ts';
import { addDocument } from '#server/verification/verification.test-support.ts';
import { type Field, sampleOf } from './bad-input.test-support.ts';
import { openClub } from './club.test-support.ts';
import type { Someone } from './contract-client.test-support.ts';
import { readState } from './database-state.test-support.ts';
import { openFamily, plainCare } from './family.test-support.ts';
import { addTemplate, writeSales } from './lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp, type TestApp } from './test-app.test-support.ts';

/** One call of the API with its fields, as the running server describes it. */
export type Call = { endpoint: Endpoint; fields: Field[]; name: string; hasBody: boolean };

/** A part of every text that belongs to the stranger. No response to anyone else may contain this mark. */
export const secretMark = 'Somebody-elses';

/** Calls that a former coach may make, but nobody else without the role: docs/decisions/0047. */
export const formerCoachCalls = [
  ...['get_bank_details', 'save_bank_details', 'get_earnings', 'list_earnings', 'list_payments'],
  ...['export_payments', 'get_statement', 'export_statement', 'list_waiting_payouts'],
];

/** The API description with each reference replaced by its target. */
export type ResolvedDescription = Omit<ApiDescription, 'paths'> & {
  paths: Record<
    string,
    Record<string, Omit<Operation, 'responses'> & { responses: Record<string, Response> }>
  >;
};

/** Reads the API description that the server at `url` serves. */
export async function readDescription(url: string): Promise<ResolvedDescription> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as Record<string, unknown>;
  const resolve = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    const { $ref, ...more } = value as Record<string, unknown>;
    const own = Object.fromEntries(Object.entries(more).map(([name, inner]) => [name, resolve(inner)]));
    if (typeof $ref !== 'string') return own;
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((inside, name) => (inside as Record<string, unknown>)[name], document);
    if (target === undefined) throw new Error(`${$ref} refers to nothing`);
    return { ...(resolve(target) as object), ...own };
  };
  return resolve(document) as ResolvedDescription;
}

/** The endpoints that the contracts declare, by operation id. */
export function readContracts(): Map<string, Endpoint> {
  const endpoints = apiAreas.flatMap(({ calls }) => calls);
  return new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]));
}

/** Every call below `/api/` in the API description, joined with its contract. */
function readCalls({ paths }: ResolvedDescription, contracts: Map<string, Endpoint>): Call[] {
  // `/auth/v1` and `/storage/v1` follow the contracts of GoTrue and Supabase Storage, and have their own tests.
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([, operations]) => Object.values(operations))
    .map((operation) => {
      const endpoint = contracts.get(operation.operationId);
      if (!endpoint) throw new Error(`${operation.operationId} is in no contract`);
      // Fields are sent under the contract's names; the specification's names have their own test.
      const nameOf = new Map(Object.entries(endpoint.wireNames ?? {}).map(([name, wire]) => [wire, name]));
      const body = operation.requestBody?.content['application/json'].schema ?? {};
      const fields: Field[] = [
        ...(operation.parameters ?? []).map(({ name, in: location, required, schema }) => ({
          name,
          location,
          required,
          schema,
        })),
        ...Object.entries(body.properties ?? {}).map(([name, schema]: [string, JsonSchema]) => ({
          name: nameOf.get(name) ?? name,
          location: 'body' as const,
          required: body.required?.includes(name) ?? false,
          schema,
        })),
      ];
      return { endpoint, fields, name: operation.operationId, hasBody: hasBody(endpoint) };
    });
}

/** Gives a person one record of each kind, with `mark` in its texts; returns the ids by field name. */
async function settleIn(
  app: TestApp,
  who: Someone,
  club: Awaited<ReturnType<typeof openClub>>,
  mark: string,
) {
  await club.saveCard(who, '4242424242424242');
  const { body: made } = await app.call(who, catalogueApi.createTemplate, {
    ...{ title: `${mark} lesson`, description: `${mark} plan`, durationMinutes: 60, basePriceCents: 2000 },
    lessonType: 'individual',
  });
  const location = { name: `${mark} pitch`, address: `${mark} Road`, city: 'Leeds', postcode: 'LS6 3AA' };
  const { body: located } = await app.call(who, catalogueApi.createLocation, location);
  const slotId = await club.publish({ coachId: who.userId });
  const { locationId } = located.location;
  await app.db.updateTable('lessonSlots').set({ locationId }).where('slotId', '=', slotId).execute();
  const booked = await club.bookUntilDecided(who, await club.publish());
  expect(booked.status).toBe(200);
  const { stripePaymentMethodId } = await app.db
    .selectFrom('profiles')
    .select('stripePaymentMethodId')
    .where('userId', '=', who.userId)
    .executeTakeFirstOrThrow();
  await app.call(who, businessesApi.saveBusiness, { businessName: `${mark} club` });
  await app.call(who, businessesApi.saveCoachProfile, { bio: `${mark} life` });
  const guest = { email: `${mark.replace(' ', '-')}-guest@test.example`.toLowerCase() };
  const { body: invited } = await app.call(who, invitationsApi.inviteCoach, guest);
  const account = { accountName: `${mark} account`, sortCode: '08-99-99', accountNumber: '66374958' };
  const banked = await app.call(who, payoutsApi.saveBankDetails, account);
  expect(banked.error?.message).toBeUndefined();
  // An extra session: if a call signs it out, the walk still has the person's own session.
  const { sessionId } = await app.db
    .insertInto('sessions')
    .values({ userId: who.userId })
    .returning('sessionId')
    .executeTakeFirstOrThrow();
  const { notificationId } = await eventually(() =>
    app.db
      .selectFrom('notifications')
      .select('notificationId')
      .where('userId', '=', who.userId)
      .executeTakeFirst(),
  );
  const { objectId: pictureId } = await app.db
    .insertInto('storageObjects')
    .values({
      ...{ bucket: 'gallery', ownerUserId: who.userId, path: `${who.userId}/court`, alt: `${mark} court` },
      ...{ contentId: randomUUID(), contentType: 'image/webp', bytes: 1_000, width: 800, height: 600 },
      consentConfirmedAt: new Date().toISOString(),
    })
    .returning('objectId')
    .executeTakeFirstOrThrow();
  const family = openFamily(app);
  const participantId = await family.addChild(who, { fullName: `${mark} child` });
  await family.saveCare(who, participantId, {
    notes: { ...plainCare.notes!, medical: `${mark} notes` },
    contacts: [{ name: `${mark} contact`, telephone: '0113 496 0000', relation: mark }],
    collection: { mayLeaveAlone: false, collectors: [mark], password: mark },
  });
  const email = `${mark.replace(' ', '-')}-guardian@test.example`.toLowerCase();
  const { body: guardian } = await app.call(who, guardiansApi.invite, { participantId, email });
  const { ageRequestId } = await app.db
    .insertInto('ageRequests')
    .values({ templateId: made.template.templateId, participantId, askedBy: who.userId })
    .returning('ageRequestId')
    .executeTakeFirstOrThrow();
  const documentId = await addDocument(app, who.userId, { issuer: `${mark} issuer`, status: 'submitted' });
  const payrunId = await writePaidPayrun(app, who);
  const progress = await writeProgress(app, who, {
    participantId,
    templateId: made.template.templateId,
    mark,
  });
  const reviewId = await writeReview(app, {
    author: who,
    coach: club.coach,
    text: `${mark} opinion of the lesson`,
  });
  const ids: Record<string, string> = {
    applicationId: await writeApplication(app, who, mark),
    ...{ payrunId, documentId, reviewId },
    ...progress,
    ...{ participantId, ageRequestId, guardianInvitationId: guardian.invitation.guardianInvitationId },
    ...{ sessionId, notificationId, pictureId },
    ...{ templateId: made.template.templateId, locationId, slotId, coachId: who.userId },
    ...{ invitationId: invited.invitation.invitationId, bookingId: booked.body.bookingId },
    ...{ paymentMethodId: stripePaymentMethodId! },
  };
  return ids;
}

/** Writes a paid payrun with a payment into this coach's bank account; returns the payrun's id. */
async function writePaidPayrun(app: TestApp, { userId }: Someone): Promise<string> {
  const { payrunId } = await app.db
    .insertInto('payruns')
    .values({
      ...{ status: 'paid', totalAmountCents: 100, paymentReference: 'MARCH' },
      ...{ createdBy: userId, paidBy: userId, paidAt: new Date().toISOString() },
    })
    .returning('payrunId')
    .executeTakeFirstOrThrow();
  await sql`
    insert into payrun_recipients (payrun_id, coach_id, amount_cents, account_name, account_number_encrypted,
      sort_code_encrypted, recipient_type, bank_country, bank_details_at)
    select ${payrunId}::uuid, coach_id, 100, account_name, account_number_encrypted, sort_code_encrypted,
      recipient_type, bank_country, updated_at
    from coach_bank_details where coach_id = ${userId}::uuid`.execute(app.db);
  return payrunId;
}

/** Writes a declined application to become a coach; returns its id. */
async function writeApplication(app: TestApp, { userId }: Someone, mark: string): Promise<string> {
  const { rows } = await sql<{ applicationId: string }>`
    insert into coach_applications (user_id, status, headline, submitted_at, decided_at, decision_message)
    values (${userId}, 'declined', ${`${mark} coach`}, now(), now(), ${`${mark} reason`})
    returning application_id`.execute(app.db);
  return rows[0]!.applicationId;
}

/** Writes a published review of a lesson that is over; returns its id. */
async function writeReview(
  app: TestApp,
  { author, coach, text }: { author: Someone; coach: Someone; text: string },
): Promise<string> {
  const templateId = await addTemplate(app.db, coach.userId, { isIndividual: true });
  const startMs = Date.now() - 72 * 3_600_000 - Math.floor(Math.random() * 2_000) * 3_600_000;
  const sale = { startMs, templateId, coachId: coach.userId, priceCents: 5000, feeCents: 0 };
  const [bookingId] = await writeSales(app.db, author.userId, [sale]);
  const { rows } = await sql<{ reviewId: string }>`
    insert into reviews (booking_id, coach_id, customer_user_id, written_for, period, rating, body, status, published_at)
    values (${bookingId}, ${coach.userId}, ${author.userId}, 'self', daterange(current_date, current_date + 365), 5,
      ${text}, 'published', now())
    returning review_id`.execute(app.db);
  return rows[0]!.reviewId;
}

/** Sets up an app, a club with everyone the tests need, and every call of the API, for all tests of this file. */
export function setUpWalk() {
  const app = setUpTestApp();
  const walk = beforeTests(() => openWalk(app));
  const calls: Call[] = [];
  beforeAll(async () => {
    calls.push(...readCalls(await readDescription(app.url), readContracts()));
  });
  /** How to send a call as a person with permission, or as a visitor if the call is public. */
  const asOwner = ({ endpoint }: Call) => ({ token: endpoint.gate === 'public' ? null : walk.owner.token });
  return { app, walk, calls, asOwner };
}

/** A club with everyone the tests need, and no jobs in progress. */
async function openWalk(app: TestApp) {
  const club = await openClub(app);
  const owner = await app.signIn('customer', 'coach', 'admin');
  const stranger = await app.signIn('customer', 'coach', 'admin');
  await app.db
    .updateTable('profiles')
    .set({ fullName: `${secretMark} name` })
    .where('userId', '=', stranger.userId)
    .execute();
  const own = await settleIn(app, owner, club, 'My own');
  const foreign = await settleIn(app, stranger, club, secretMark);
  // The walk calls far more often than a person may; rate limits are tested elsewhere.
  const forgiveTries = () => app.db.deleteFrom('rateLimits').execute();
  await eventually(async () => {
    const payments = await app.db.selectFrom('webhookEvents').select(['eventType', 'handledAt']).execute();
    const arrived = payments.filter(({ eventType }) => eventType === 'payment_intent.succeeded').length;
    return arrived >= 2 && payments.every(({ handledAt }) => handledAt);
  });
  /** Waits until no jobs remain, apart from recurring jobs. */
  const untilIdle = () =>
    eventually(async () => {
      const state = await readState(app.db);
      return !Object.keys(state).some((key) => key.startsWith('job '));
    });
  // Otherwise the hourly job closes the months of past lessons while a test compares the database.
  await closeMonths(app.db);
  await untilIdle();

  /** Calls `run`, and fails if that changes anything in the database. The failure message contains `what`. */
  async function expectNothingChanged(run: () => Promise<unknown>, what?: string): Promise<void> {
    await forgiveTries();
    const before = await readState(app.db);
    await run();
    expect(await readState(app.db), what).toEqual(before);
  }

  /**
   * Calls `run` for each of these calls, and fails if that changes anything in the database. Compares after every ten
   * calls, because reading the whole database takes much longer than most calls. The failure message names those ten.
   */
  async function expectNothingChangedByAny(
    some: Call[],
    run: (call: Call) => Promise<unknown>,
  ): Promise<void> {
    for (let start = 0; start < some.length; start += 10) {
      const ten = some.slice(start, start + 10);
      const changeNothing = async () => {
        for (const call of ten) {
          await forgiveTries();
          await run(call);
        }
      };
      await expectNothingChanged(changeNothing, `one of ${ten.map(({ name }) => name).join(', ')}`);
    }
  }

  return { owner, stranger, own, foreign, untilIdle, expectNothingChanged, expectNothingChangedByAny };
}

/** The optional field to fill in for a call that needs one of several optional fields. */
const chosen: Record<string, string> = { preview_payrun: 'bookingIds', create_payrun: 'bookingIds' };

/**
 * The input of a call with all required fields and the caller's own records. `other` replaces fields; a field that is
 * undefined in `other` is left out.
 */
export function fillIn(call: Call, ids: Record<string, string>, other: Record<string, unknown> = {}) {
  const needed = call.fields.filter(
    ({ name, required }) => required || name in ids || chosen[call.name] === name,
  );
  const samples = needed.map((field) => [field.name, sampleOf(field, ids)]);
  const filled: Record<string, unknown> = { ...Object.fromEntries(samples), ...other };
  for (const [name, value] of Object.entries(filled)) if (value === undefined) delete filled[name];
  return filled;
}

/** How to send a call: by default as JSON, with the content type of JSON. */
export type Sending = {
  token?: string | null;
  method?: string;
  body?: BodyInit | null;
  contentType?: string | null;
};

/** A value for use in a URL; objects as JSON, because their own `toString` may be anything. */
export const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');

/** Sends a call with this input; fields that are not in the path or the query go into the body. */
export async function send(app: TestApp, call: Call, input: Record<string, unknown>, sending: Sending = {}) {
  const query = new URLSearchParams();
  const rest: Record<string, unknown> = { ...input };
  let path: string = call.endpoint.path;
  for (const { name, location } of call.fields) {
    if (location === 'body' || !(name in input)) continue;
    for (const given of [input[name]].flat()) {
      const text = asText(given);
      if (location === 'path') path = path.replace(`:${name}`, encodeURIComponent(text));
      else query.append(name, text);
    }
    delete rest[name];
  }
  const { token, method = call.endpoint.method, contentType = 'application/json' } = sending;
  const sendsBody = call.hasBody && method !== 'GET' && method !== 'HEAD';
  const body = sending.body === undefined ? JSON.stringify(rest) : sending.body;
  const response = await fetch(`${app.url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method,
    headers: {
      ...(token ? { authorization: token.includes(' ') ? token : `Bearer ${token}` } : {}),
      ...(sendsBody && contentType ? { 'content-type': contentType } : {}),
    },
    body: sendsBody ? body : null,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export type Sent = Awaited<ReturnType<typeof send>>;

export const internals =
  /node_modules|\.ts:\d|\.js:\d|\n\s+at |kysely|postgres|\bpg\b|zod|violates|relation "|syntax error|insert into|select .* from|TypeError|undefined|\[object|Invalid input|Too (big|small)/i;

/** Fails unless this is a refusal with one of these statuses and a readable message that reveals no internals. */
export function expectRefusal(sent: Sent, statuses: number | number[], what: string): ErrorBody['error'] {
  const said = `${what} → ${sent.status} ${sent.text.slice(0, 300)}`;
  expect([statuses].flat(), said).toContain(sent.status);
  expect(sent.headers.get('content-type'), said).toMatch(/^application\/json/);
  expect(sent.headers.get('x-content-type-options'), said).toBe('nosniff');
  expect(sent.headers.get('cache-control'), said).toBe('no-store');
  expect(sent.text, said).not.toMatch(internals);
  expect(sent.text, said).not.toContain(secretMark);
  const { error } = JSON.parse(sent.text) as ErrorBody;
  expect(error.code, said).toMatch(/^[a-z_]+$/);
  expect(error.message, said).toMatch(/^[A-Za-z].{9,300}$/s);
  expect(error.requestId, said).toBe(sent.headers.get('x-request-id'));
  return error;
}

/** Formats a value as JSON for failure messages. A text of more than 80 characters is cut, and a hash follows. */
export const describeValue = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80
    ? `${text.slice(0, 60)}… ${createHash('sha1').update(text).digest('hex').slice(0, 6)}`
    : text;
};
