import { expect, test } from 'vitest';
import { announcementsApi } from '#domain/bookings/announcements-contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

// A bell, an escape sequence, a C1 control, and a bidirectional override and isolate, which change the direction of the
// text after them.
const invisible = ['\u0007', '\u001b[2J', '\u0085', '\u202e', '\u2066'];

/** Expects each kind of control character to be refused in these fields, and line breaks in single-line fields. */
async function expectNoControls<E extends Endpoint>(
  who: Someone,
  endpoint: E,
  input: InputOf<E>,
  fields: { oneLine?: string[]; someLines?: string[] },
): Promise<void> {
  const put = async (field: string, text: string) => {
    const value = Array.isArray((input as Record<string, unknown>)[field]) ? [text] : text;
    const { status, error } = await app.call(who, endpoint, {
      ...(input as object),
      [field]: value,
    } as InputOf<E>);
    const messages = Object.entries(error?.fields ?? {}).filter(([name]) => name.split('.')[0] === field);
    return { status, message: messages[0]?.[1] };
  };
  for (const field of [...(fields.oneLine ?? []), ...(fields.someLines ?? [])]) {
    for (const sign of invisible) {
      expect(await put(field, `Left${sign}right`), `${field} ${JSON.stringify(sign)}`).toEqual({
        status: 422,
        message: 'This text contains invisible control characters. Type it instead of pasting it.',
      });
    }
  }
  for (const field of fields.oneLine ?? []) {
    expect((await put(field, 'Left\r\nBcc: everybody@club.example')).message).toBe('Enter this on one line.');
  }
  for (const field of fields.someLines ?? []) expect((await put(field, 'Left\n\n\tright')).status).toBe(200);
}

test('refuses control characters, and line breaks in single-line fields', async () => {
  const location = { name: 'Court', address: '14 Park Road', city: 'Leeds', postcode: '' };
  await expectNoControls(club.coach, catalogueApi.createLocation, location, {
    oneLine: ['name', 'address', 'city'],
  });
  const template = { title: 'Tennis', description: '', durationMinutes: 60, basePriceCents: 5000 };
  await expectNoControls(
    club.coach,
    catalogueApi.createTemplate,
    { ...template, sport: 'tennis', lessonType: 'individual', minCapacity: 1, maxCapacity: 1 },
    { oneLine: ['title'], someLines: ['description'] },
  );
  await expectNoControls(
    club.coach,
    businessesApi.saveCoachProfile,
    { coachType: '', bio: '', sports: [], towns: [], languages: [], hourlyRateCents: null },
    { oneLine: ['coachType', 'towns', 'languages'], someLines: ['bio'] },
  );
  await expectNoControls(
    club.coach,
    businessesApi.saveBusiness,
    { businessName: 'Club', businessEmail: '', businessPhone: '', businessAddress: '', taxId: '' },
    { oneLine: ['businessName', 'taxId'], someLines: ['businessAddress'] },
  );
  await expectNoControls(
    club.coach,
    lessonsApi.cancelSlot,
    { slotId: await club.publish(), reason: '' },
    { oneLine: ['reason'] },
  );
  const slotId = await club.publish({ priceCents: 0 });
  expect((await club.book(await club.join(null), slotId, 0)).status).toBe(200);
  await expectNoControls(
    club.coach,
    announcementsApi.send,
    { slotId, text: '', expectedRecipients: 1 },
    { someLines: ['text'] },
  );
  await expectNoControls(admin, settingsApi.updateBrand, { name: 'Club' }, { oneLine: ['name'] });
});

test("refuses control characters in people's names", async () => {
  for (const sign of [...invisible, '\n']) {
    const response = await app.auth(null, '/signup', {
      body: {
        email: 'odd@test.example',
        password: 'orange-corner-flag',
        data: { full_name: `Ana${sign}Souza` },
      },
    });
    expect([400, 422]).toContain(response.status);
    const renamed = await app.auth(admin, '/user', {
      method: 'PUT',
      body: { data: { full_name: `Ana${sign}Souza` } },
    });
    expect([400, 422]).toContain(renamed.status);
  }
});

test("keeps an email's subject on one line", async () => {
  const slotId = await club.publish();
  const { templateId } = await club.readSlot(slotId);
  const title = 'Tennis\r\nBcc: everybody@club.example';
  await app.db.updateTable('lessonTemplates').set({ title }).where('templateId', '=', templateId).execute();
  const customer = await club.join();
  await club.book(customer, slotId);
  const received = await eventually(async () => (await app.emailsTo(customer.email))[0]);
  expect(received.subject).toMatch(/^Booked: Tennis Bcc: everybody@club\.example, /);
});
