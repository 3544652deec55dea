import { expect, test } from 'vitest';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import {
  type AbsenceEffect,
  type AskedOf,
  type DocumentKind,
  defaultVerificationPolicy,
  documentKinds,
  type VerificationPolicy,
} from '#domain/settings/verification-policy.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { addDocument, askOfCoaches } from '#server/verification/verification.test-support.ts';
import { findUntrueClaims, readSentences } from './untrue-claims.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const everyKind = (askedOf: AskedOf, effect: AbsenceEffect) =>
  Object.fromEntries(documentKinds.map((kind) => [kind, { askedOf, effect }])) as VerificationPolicy;

/** Sets a policy, and returns the landing page's text once it contains the sentence. */
async function ask(policy: VerificationPolicy, sentence: string): Promise<string> {
  await askOfCoaches(app, policy);
  return eventually(async () => {
    const text = (await readSentences(app, '/')).join('\n');
    return text.includes(sentence) ? text : null;
  });
}

/** Reads the titles and texts of the landing page's feature cards, in their order. */
async function readCards(): Promise<[title: string, text: string][]> {
  const html = await (await fetch(`${app.url}/`)).text();
  const [, features = ''] = /<section aria-labelledby="features"([\s\S]*?)<\/section>/.exec(html) ?? [];
  return [...features.matchAll(/<h3[^>]*>(.*?)<\/h3><p[^>]*>(.*?)<\/p>/g)].map(
    ([, title = '', text = '']) => [title, text.replaceAll('&#x27;', "'")],
  );
}

/** The titles of the six cards; what the third says about the coaches depends on the policy. */
const titlesWith = (ofCoaches: string) => [
  ...['Easy booking', 'Secure payments', ofCoaches, 'Trusted platform'],
  ...['Progress tracking', 'Instant notifications'],
];

/** Creates a coach with a lesson, for adults or for everyone, and accepted documents of these kinds. */
async function openCoach(fullName: string, minAge: number | null, kinds: readonly DocumentKind[]) {
  const coach = await app.signIn('coach');
  await app.db.updateTable('profiles').set({ fullName }).where('userId', '=', coach.userId).execute();
  const { body } = await app.call(coach, catalogueApi.createTemplate, {
    ...{ title: 'Serve and volley', durationMinutes: 60, basePriceCents: 5000, lessonType: 'group', minAge },
    ...{ sport: 'tennis', minCapacity: 2, maxCapacity: 4 },
  });
  const slotId = await club.publish({ coachId: coach.userId });
  const { templateId } = body.template;
  await app.db.updateTable('lessonSlots').set({ templateId }).where('slotId', '=', slotId).execute();
  for (const kind of kinds) await addDocument(app, coach.userId, { kind });
  return coach.userId;
}

const coaches = beforeTests(async () => ({
  bare: await openCoach('Bea Bare', 18, []),
  insured: await openCoach('Ina Ivory', 18, ['insurance']),
  ofAll: await openCoach('Olga Open', null, ['insurance', 'safeguarding', 'criminal_record_check']),
  complete: await openCoach('Cleo Complete', 18, documentKinds),
}));
const isListed = async (coachId: string) => (await fetch(`${app.url}/coaches/${coachId}`)).status === 200;
const nothing = everyKind('nobody', 'badge');

test('claims on a new installation only what is true of every listed coach [LAND-3, VERIFY-12c]', async () => {
  const text = await ask(
    defaultVerificationPolicy,
    'Coaches are insured before they teach here, and background-checked before they teach under-18s.',
  );
  const cards = await readCards();
  expect(cards.map(([title]) => title)).toEqual(titlesWith('Expert verified coaches'));
  expect(cards[2]![1]).toBe("We check every coach's insurance before anyone can book them.");
  expect(text).not.toContain('background-checked and insured');
  expect([
    await isListed(coaches.bare),
    await isListed(coaches.insured),
    await isListed(coaches.ofAll),
  ]).toEqual([false, true, true]);
  expect(await findUntrueClaims(app)).toEqual([]);
});

test('claims nothing about the coaches if nothing is required of them [LAND-3, VERIFY-12c]', async () => {
  const text = await ask(nothing, 'Coaches for every level');
  const cards = await readCards();
  expect(cards.map(([title]) => title)).toEqual(titlesWith('Coaches for every level'));
  expect([cards[2]![1], cards[3]![1]]).toEqual([
    "From first steps to competition: read the coaches' profiles and choose one who suits you.",
    'Every booking has a receipt and keeps the cancellation terms that you agreed to.',
  ]);
  expect(text).not.toMatch(/verified|background-checked|insured/i);
  expect(await isListed(coaches.bare)).toBe(true);
  expect(await findUntrueClaims(app)).toEqual([]);
});

test('claims that coaches are checked and insured if lacking either hides a coach [LAND-3, VERIFY-12c]', async () => {
  const hidden = { askedOf: 'all', effect: 'hidden' } as const;
  await ask(
    { ...nothing, insurance: hidden, criminal_record_check: hidden },
    'Coaches are background-checked and insured before they teach here.',
  );
  const cards = await readCards();
  expect(cards.map(([title]) => title)).toEqual(titlesWith('Expert verified coaches'));
  expect([cards[2]![1], cards[3]![1]]).toEqual([
    "We check every coach's criminal record and insurance before anyone can book them.",
    'Coaches are background-checked and insured before they teach here.',
  ]);
  expect([await isListed(coaches.insured), await isListed(coaches.complete)]).toEqual([false, true]);
  expect(await findUntrueClaims(app)).toEqual([]);
});

test('claims no verification or insurance if missing documents cost only the badge [VERIFY-12c]', async () => {
  const text = await ask(
    everyKind('all', 'badge'),
    'Coaches are background-checked before they teach under-18s here.',
  );
  expect(text).not.toMatch(/insured|Expert verified coaches/);
  expect(await isListed(coaches.bare)).toBe(true);
  expect(await findUntrueClaims(app)).toEqual([]);
});
