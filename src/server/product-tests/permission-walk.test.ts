import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Gate, Role } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import type { ErrorBody } from '#domain/errors.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import type { JsonSchema } from '#server/platform/openapi/json-schema.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import {
  expectRefusal,
  fillIn,
  formerCoachCalls,
  secretMark,
  send,
  setUpWalk,
} from '#server/test-support/contract-walk.test-support.ts';
import { forgeTokens } from '#server/test-support/forged-tokens.test-support.ts';
import { dayIn, pdf } from '#server/verification/verification.test-support.ts';

const { app, walk, calls, asOwner } = setUpWalk();

/** The paths inside a field at which it refers to a record by an id or a file path, such as `seats.slotId`. */
function referencesIn(schema: JsonSchema, path: string): string[] {
  if (schema.format === 'uuid' || /path$/i.test(path)) return [path];
  const { items, anyOf = [], oneOf = [], allOf = [], properties = {} } = schema;
  const alternatives = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
  return [
    ...alternatives.flatMap((inner) => referencesIn(inner, path)),
    ...Object.entries(properties).flatMap(([name, inner]) => referencesIn(inner, `${path}.${name}`)),
  ];
}

describe('every call that needs permission [ROLE-5]', { timeout: 300_000 }, () => {
  const isAllowed = (gate: Gate, roles: readonly Role[]) =>
    gate === 'public' || gate === 'signedIn' || roles.includes(gate);

  const setRoles = ({ userId }: Someone, roles: Role[]) =>
    app.db.updateTable('profiles').set({ roles }).where('userId', '=', userId).execute();
  async function signInWithoutRoles(): Promise<Someone> {
    const person = await app.signIn();
    await setRoles(person, []);
    return person;
  }

  const denied: Partial<Record<Gate, string>> = {
    customer: 'You need customer permissions to access this area.',
    coach: 'You need coach permissions to access this area.',
    admin: "You don't have permission to access this page.",
  };

  test('refuses visitors, people with other roles and people who have just lost the role [ROLE-4]', async () => {
    const ofAdmins = calls.filter(({ endpoint }) => endpoint.path.startsWith('/api/admin/'));
    expect(ofAdmins.length).toBeGreaterThan(20);
    expect(ofAdmins.filter(({ endpoint }) => endpoint.gate !== 'admin')).toEqual([]);
    const every: Role[] = ['customer', 'coach', 'admin'];
    const people: { name: string; person: Someone | null; roles: Role[]; isFormerCoach?: boolean }[] = [
      { name: 'a visitor', person: null, roles: [] },
    ];
    for (let choice = 0; choice < 8; choice += 1) {
      const roles = every.filter((_, index) => choice & (1 << index));
      const person = await app.signIn(...roles);
      await setRoles(person, roles);
      people.push({ name: `one with [${roles}]`, person, roles });
    }
    for (const lost of every) {
      const roles = every.filter((role) => role !== lost);
      const person = await app.signIn(...every);
      expect((await app.call(person, accountsApi.getProfile, {})).body.profile?.roles).toHaveLength(3);
      await setRoles(person, roles);
      const isFormerCoach = lost === 'coach';
      people.push({ name: `someone who has just lost the role ${lost}`, person, roles, isFormerCoach });
    }
    await walk.expectNothingChangedByAny(calls, async (call) => {
      const isForFormer = formerCoachCalls.includes(call.name);
      const gate = isForFormer ? 'coach' : call.endpoint.gate;
      for (const { name, person, roles, isFormerCoach } of people) {
        if (gate === 'public' || (person && isAllowed(gate, roles))) continue;
        if (isForFormer && isFormerCoach) continue;
        // Bad input is refused before the database is queried for a coach record.
        const needsInput = call.fields.some(({ required }) => required);
        const empty = isForFormer && needsInput && person ? [] : [{}];
        for (const input of [fillIn(call, walk.own), fillIn(call, walk.foreign), ...empty]) {
          const sent = await send(app, call, input, { token: person?.token ?? null });
          const { message } = expectRefusal(sent, person ? 403 : 401, `${call.name} by ${name}`);
          expect(message).toBe(person ? denied[gate] : 'Please sign in to do this.');
        }
      }
    });
  });

  test('refuses a token that is forged, expired or from an ended session', async () => {
    const tokens = await forgeTokens(app, walk.owner.token, walk.stranger.userId);
    await walk.untilIdle();
    await walk.expectNothingChangedByAny(calls, async (call) => {
      for (const [kind, token] of Object.entries(tokens)) {
        const { message } = expectRefusal(
          await send(app, call, fillIn(call, walk.own), { token }),
          401,
          `${call.name}, ${kind}`,
        );
        expect(message).toBe('Your session has ended. Please sign in again.');
      }
    });
  });

  test('refuses a proof of identity that is older than 15 minutes [ROLE-9]', async () => {
    const guarded = calls.filter(({ endpoint }) => endpoint.reauthenticate);
    expect(guarded.map(({ name }) => name).sort()).toEqual([
      'accept_document',
      ...['cancel_at_desk', 'cancel_payrun', 'change_role', 'create_payrun'],
      ...[
        'decide_coach_application',
        'decide_picture',
        'decide_refund_request',
        'decide_review_case',
        'decline_document',
        'end_sessions_of',
        'enter_external_refund',
      ],
      ...['enter_payrun_return'],
      ...['export_audit', 'export_records', 'get_payrun_csv_rows', 'mark_payrun_paid', 'open_care'],
      ...['open_document', 'record_criminal_record_check', 'record_dispute_loss', 'record_status_check'],
      ...['refund_at_desk', 'save_bank_details', 'save_site_text', 'settle_refund'],
      ...['update_brand', 'update_cancellation_policy', 'update_coach_joining', 'update_contact'],
      ...[
        'update_landing_stats',
        'update_payrun_control',
        'update_platform_fee',
        'update_refund_control',
        'update_verification_policy',
      ],
    ]);
    const person = await app.signIn('customer', 'coach', 'admin');
    const proved = (minutesAgo: number) =>
      app.db
        .updateTable('sessions')
        .set({ confirmedAt: new Date(Date.now() - minutesAgo * 60_000).toISOString() })
        .where('userId', '=', person.userId)
        .execute();
    const inputs: Record<string, Record<string, unknown>> = {
      ...{ change_role: { role: 'admin', isHeld: true }, save_site_text: { text: 'Ours' } },
      ...{ save_bank_details: { sortCode: '08-99-99', accountNumber: '66374958' } },
      update_contact: { email: 'desk@club.test' },
      decide_picture: { decision: 'keep' },
    };
    for (const call of guarded) {
      await proved(16);
      await walk.expectNothingChanged(async () => {
        const input = fillIn(call, walk.own, inputs[call.name]);
        const sent = await send(app, call, input, { token: person.token });
        const refusal = expectRefusal(sent, 403, `${call.name} with an old proof`);
        expect(refusal.code, call.name).toBe('confirmation_required');
        expect(refusal.details).toEqual({ isCodeEnough: true });
      });
    }
  });

  test("refuses another person's record [ROLE-2]", async () => {
    /** Calls and fields that may name another person's record, because everyone may see or book it. */
    const open = [
      'discover_slots coachId',
      'get_coach coachId',
      'list_badges coachId',
      'get_slot slotId',
      'book_seats seats.slotId',
      'charge-payment-method slotId',
      'ask_to_join slotId',
      'get_picture pictureId',
      'report_picture pictureId',
      ...['list_reviews coachId', 'get_review reviewId', 'report_review reviewId'],
    ];
    const filePath = `${walk.stranger.userId}/${randomUUID()}`;
    const storage = storageOf(app.url, walk.stranger);
    const uploads = await Promise.all([
      storage.from('documents').upload(filePath, pdf),
      storage.from('attachments').upload(filePath, await makePicture()),
    ]);
    expect(uploads.map(({ error }) => error)).toEqual([null, null]);
    const paths = [filePath, `${walk.stranger.userId}/${randomUUID()}`];
    const pictures = {
      inputs: paths.map((path) => ({ path })),
      ...{ status: 404, says: 'Picture not found.' },
    };
    // A lesson that the stranger has booked, with more seats.
    const { slotId } = await app.db
      .selectFrom('bookings')
      .select('slotId')
      .where('bookingId', '=', walk.foreign.bookingId!)
      .executeTakeFirstOrThrow();
    const seat = { slotId, baseAmountCents: 5000 };
    const at = (locationId: unknown) => ({
      ...{ locationId, name: 'Court', address: 'Street Lane', city: 'Leeds', postcode: 'LS8 1JL' },
    });
    /** The id of another person's record, and an id of no record. */
    const idsOf = (name: string): unknown[] => [
      walk.foreign[name],
      name === 'paymentMethodId' ? 'pm_nobody' : randomUUID(),
    ];
    type Refused = { inputs: Record<string, unknown>[]; status: number; says: string };
    /** References inside other fields, or with another status, and the rest of an input that is valid apart from them. */
    const special: Record<string, Refused> = {
      'book_seats seats.participantId': {
        inputs: idsOf('participantId').map((participantId) => ({ seats: [{ ...seat, participantId }] })),
        status: 404,
        says: 'This person is not in your family list.',
      },
      // The location that the customer saw is only compared with the lesson's location, never looked up.
      'book_seats seats.location.locationId': {
        inputs: idsOf('locationId').map((id) => ({ seats: [{ ...seat, location: at(id) }] })),
        status: 409,
        says: 'The coach has changed the location',
      },
      'charge-payment-method location.locationId': {
        inputs: idsOf('locationId').map((id) => ({ ...seat, location: at(id) })),
        status: 409,
        says: 'The coach has changed the location',
      },
      'save_skills skills.skillId': {
        inputs: idsOf('skillId').map((skillId) => ({
          sport: 'tennis',
          skills: [{ skillId, name: 'Serve' }],
        })),
        status: 404,
        says: "This skill isn't in the list.",
      },
      'submit_document filePath': {
        inputs: paths.map((path) => ({ filePath: path, issuedOn: dayIn(-30), validUntil: dayIn(300) })),
        status: 422,
        says: 'Upload the file first.',
      },
      'add_note_picture path': pictures,
      'remove_note_picture path': pictures,
    };
    const refusedOf = (what: string, name: string): Refused | undefined => {
      if (special[what] || !(name in walk.foreign)) return special[what];
      const status = name === 'paymentMethodId' ? 422 : 404;
      return { inputs: idsOf(name).map((id) => ({ [name]: id })), status, says: '' };
    };
    const tried: string[] = [];
    // Admin calls concern other people. A test above checks that they need the admin role.
    const ofOthers = calls.filter(({ endpoint }) => endpoint.gate !== 'admin');
    await walk.expectNothingChangedByAny(ofOthers, async (call) => {
      const references = call.fields.flatMap(({ name, schema }) =>
        name in walk.foreign ? [name] : referencesIn(schema, name),
      );
      for (const name of references) {
        const what = `${call.name} ${name}`;
        if (open.includes(what)) continue;
        const refused = refusedOf(what, name);
        if (!refused) throw new Error(`Add an input for ${what} to this test, or a record to the walk`);
        tried.push(what);
        const { inputs, status, says } = refused;
        const refusals: Pick<ErrorBody['error'], 'code' | 'message'>[] = [];
        for (const other of inputs) {
          const sent = await send(app, call, fillIn(call, walk.own, other), asOwner(call));
          const { code, message } = expectRefusal(sent, status, `${what} of another person or of nobody`);
          refusals.push({ code, message });
        }
        expect(refusals[0]!.message, what).toContain(says);
        // The response doesn't reveal whether there is such a record.
        expect(refusals[0], what).toEqual(refusals[1]);
      }
    });
    expect(tried).toEqual(expect.arrayContaining(Object.keys(special)));
    expect(tried.length).toBeGreaterThan(8);
  });

  test("refuses another person's record to people without any role", async () => {
    const nobody = await signInWithoutRoles();
    const takers = calls.filter(
      ({ endpoint, fields }) =>
        endpoint.gate === 'signedIn' && fields.some(({ name }) => name in walk.foreign),
    );
    expect(takers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['settle_booking', 'release_booking', 'get_my_booking', 'cancel_booking']),
    );
    for (const call of takers) {
      await walk.expectNothingChanged(async () => {
        const sent = await send(app, call, fillIn(call, walk.foreign), { token: nobody.token });
        const status = formerCoachCalls.includes(call.name) ? 403 : 404;
        expectRefusal(sent, status, `${call.name} by someone without any role`);
      });
    }
  });

  test("shows no one else's data to a person without any role", async () => {
    const nobody = await signInWithoutRoles();
    for (const call of calls.filter(
      ({ endpoint, fields, name }) =>
        endpoint.method === 'GET' &&
        endpoint.gate === 'signedIn' &&
        !formerCoachCalls.includes(name) &&
        !fields.some((field) => field.name in walk.foreign),
    )) {
      const sent = await send(app, call, fillIn(call, {}), { token: nobody.token });
      expect(sent.status, `${call.name} ${sent.text}`).toBe(200);
      for (const secret of [...Object.values(walk.foreign), walk.stranger.email])
        expect(sent.text).not.toContain(secret);
    }
  });

  test("shows no one else's data or care details [ROLE-2, PART-5c]", async () => {
    for (const call of calls.filter(
      ({ endpoint }) => endpoint.method === 'GET' && !['public', 'admin'].includes(endpoint.gate),
    )) {
      const sent = await send(app, call, fillIn(call, walk.own), asOwner(call));
      expect(sent.status, `${call.name} ${sent.text}`).toBe(200);
      for (const secret of [...Object.values(walk.foreign), walk.stranger.email, secretMark])
        expect(sent.text).not.toContain(secret);
    }
  });

  // This test comes last, because it changes what the walk set up.
  test('lets people see and change their own records [ROLE-2]', async () => {
    const { owner, stranger, own } = walk;
    const as = async <E extends Endpoint>(endpoint: E, input: InputOf<E>, who = owner) => {
      const { error, body } = await app.call(who, endpoint, input);
      expect(error?.message, endpoint.operationId).toBeUndefined();
      return body;
    };
    const template = async () => (await as(catalogueApi.listTemplates, {})).templates;
    const slot = async () => (await as(slotsApi.getCoachSlot, { slotId: own.slotId! })).slot;
    const bank = async () => (await as(payoutsApi.getBankDetails, {})).bankDetails;
    const business = async () => (await as(businessesApi.getBusiness, {})).business;
    const bookings = async () => (await as(bookingsApi.listMine, { view: 'upcoming' })).bookings;
    const card = async () => (await as(paymentsApi.getPaymentMethod, {})).card;

    expect(await template()).toMatchObject([{ templateId: own.templateId, title: 'My own lesson' }]);
    const { priceCents } = await slot();
    const attendees = await as(lessonsApi.listAttendees, { slotId: own.slotId! });
    expect([priceCents, attendees]).toEqual([5000, { attendees: [] }]);
    expect(await bank()).toMatchObject({ accountName: 'My own account', maskedAccountNumber: '••••4958' });
    expect(await business()).toMatchObject({ businessName: 'My own club' });
    expect(await bookings()).toMatchObject([{ bookingId: own.bookingId, status: 'booked' }]);
    expect(await card()).toMatchObject({ lastFour: '4242' });

    await as(catalogueApi.updateTemplate, {
      ...{ templateId: own.templateId!, title: 'Renamed', durationMinutes: 60, basePriceCents: 2000 },
      ...{ lessonType: 'individual', sport: 'tennis', minCapacity: 1, maxCapacity: 1 },
    });
    const edit = { slotId: own.slotId!, locationId: null, priceCents: 6000, minCapacity: 2, maxCapacity: 4 };
    await as(lessonsApi.editSlot, edit);
    const account = { accountName: 'New account', sortCode: '08-99-99', accountNumber: '66374958' };
    await as(payoutsApi.saveBankDetails, account);
    await as(businessesApi.saveBusiness, { businessName: 'New club' });
    await as(bookingsApi.cancel, { bookingId: own.bookingId!, expectedRefundCents: 5000 });
    await as(paymentsApi.removePaymentMethod, {});

    expect(await template()).toMatchObject([{ templateId: own.templateId, title: 'Renamed' }]);
    expect(await slot()).toMatchObject({ priceCents: 6000, location: null });
    expect(await bank()).toMatchObject({ accountName: 'New account' });
    expect(await business()).toMatchObject({ businessName: 'New club' });
    expect(await bookings()).toMatchObject([{ bookingId: own.bookingId, cancelledBy: 'customer' }]);
    expect(await card()).toBeNull();

    // Calls that name no record change only the caller's.
    const ofStranger = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => as(endpoint, input, stranger);
    const marked = expect.stringContaining(secretMark);
    const { templates } = await ofStranger(catalogueApi.listTemplates, {});
    expect(templates).toMatchObject([{ title: marked }]);
    const { bankDetails } = await ofStranger(payoutsApi.getBankDetails, {});
    expect(bankDetails).toMatchObject({ accountName: marked });
    const theirs = await ofStranger(businessesApi.getBusiness, {});
    expect(theirs.business).toMatchObject({ businessName: marked });
    const booked = await ofStranger(bookingsApi.listMine, { view: 'upcoming' });
    expect(booked.bookings).toMatchObject([{ status: 'booked' }]);
    expect((await ofStranger(paymentsApi.getPaymentMethod, {})).card).toMatchObject({ lastFour: '4242' });
  });
});
