import { sql } from 'kysely';
import { countFiveStarReviews } from '#server/reviews/read-ratings.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';

/** A coach who can be found, with the kinds of document that an admin has accepted and that count today. */
type Listed = { coachId: string; fullName: string; kinds: string[]; teachesMinors: boolean };

/** A pattern for claims about a coach. `isTrue` returns whether the claim holds. */
type Claim = { says: RegExp; isTrue: (coach: Listed) => boolean };

const has = (kind: string) => (coach: Listed) => coach.kinds.includes(kind);
const minors = (coach: Listed) => !coach.teachesMinors || has('criminal_record_check')(coach);

/** The claims that the landing page may make about every coach. */
const ofEveryCoach: Claim[] = [
  { says: /^Expert verified coaches$/, isTrue: ({ kinds }) => kinds.length > 0 },
  { says: /^We check every coach's .*insurance/, isTrue: has('insurance') },
  { says: /^We check every coach's .*criminal record/, isTrue: has('criminal_record_check') },
  { says: /^We check every coach's .*safeguarding training/, isTrue: has('safeguarding') },
  { says: /^Coaches are (background-checked and )?insured/, isTrue: has('insurance') },
  {
    says: /^Coaches are background-checked (and insured )?before they teach here/,
    isTrue: has('criminal_record_check'),
  },
  { says: /background-checked before they teach under-18s/, isTrue: minors },
];

/** The label of the figure that counts reviews; the figure follows it. */
const reviewsLabel = 'five-star reviews';

/** The claims that a coach's page may make about the coach. */
const ofOneCoach: Claim[] = [
  {
    says: /^(Enhanced )?(DBS|AccessNI|PVG membership)( certificate)? seen · /,
    isTrue: has('criminal_record_check'),
  },
  { says: /^Public liability insurance valid to /, isTrue: has('insurance') },
  { says: /^Safeguarding training valid to /, isTrue: has('safeguarding') },
  { says: /^First aid training valid to /, isTrue: has('first_aid') },
  { says: /^Governing-body licence valid to /, isTrue: has('licence') },
  { says: / checked an? .+ certificate in /, isTrue: has('criminal_record_check') },
  { says: /^It is valid to /, isTrue: ({ kinds }) => kinds.length > 0 },
  // The database refuses a review without a lesson that its author paid for.
  { says: /^Verified booking · /, isTrue: () => true },
  { says: /^Certificates don't expire, and later events aren't on them\.$/, isTrue: () => true },
];

/** Words in claims that someone has checked the coaches, or that many people like them. */
const suspicious =
  /\b(verif|vet(ted)?\b|background|insur|certif|qualifi|licen[cs]|accredit|five-star)|\bseen ·|valid to|\d[K+]/i;

/** The sentences that a visitor can read on a page. */
export async function readSentences(app: TestApp, path: string): Promise<string[]> {
  const html = await (await fetch(app.url + path)).text();
  return html
    .replace(/<(script|style|head)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/<[^>]+>/)
    .flatMap((text) => text.split(/(?<=\.)\s/))
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}

async function listCoaches({ db }: TestApp): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    select coach_id, full_name, array(
        select distinct kind from coach_documents document where document.coach_id = coach.coach_id
          and status = 'accepted' and issued_on <= today and ends_on >= today) as kinds,
      exists (select from lesson_templates template where template.coach_id = coach.coach_id
        and template.deleted_at is null and coalesce(min_age, 0) < 18) as teaches_minors
    from coaches coach join profiles on user_id = coach_id,
      lateral (select (now() at time zone 'Europe/London')::date as today) clock
    where exists (select from lesson_slots slot where slot.coach_id = coach.coach_id)
      and coach.is_active and coach.listed_until >= today`.execute(db);
  return rows;
}

/**
 * Reads the landing page and the page of every coach whose lessons can be found. Returns each sentence about coaches'
 * checks or reviews that is untrue of one of them, or that none of the claims above covers. Coaches' own biographies
 * are left out.
 */
export async function findUntrueClaims(app: TestApp): Promise<string[]> {
  const coaches = await listCoaches(app);
  const untrue = (page: string, sentences: string[], claims: Claim[], about: Listed[], own: string) =>
    sentences.flatMap((sentence) => {
      if (!suspicious.test(sentence) || own.includes(sentence)) return [];
      const known = claims.filter(({ says }) => says.test(sentence));
      if (known.length === 0) return [`${page}: “${sentence}” can't be checked`];
      return about
        .filter((coach) => !known.every(({ isTrue }) => isTrue(coach)))
        .map(({ fullName }) => `${page}: “${sentence}” is not true of ${fullName}`);
    });
  const landing = await readSentences(app, '/');
  const found = untrue(
    '/',
    landing.filter((sentence) => sentence !== reviewsLabel),
    ofEveryCoach,
    coaches,
    '',
  );
  const figure = landing[landing.indexOf(reviewsLabel) + 1];
  const counted = await countFiveStarReviews(app.db);
  if (landing.includes(reviewsLabel) && figure !== String(counted)) {
    found.push(`/: ${figure} five-star reviews are shown, but ${counted} exist`);
  }
  for (const coach of coaches) {
    const { bio } = await app.db
      .selectFrom('coaches')
      .select('bio')
      .where('coachId', '=', coach.coachId)
      .executeTakeFirstOrThrow();
    const path = `/coaches/${coach.coachId}`;
    found.push(...untrue(path, await readSentences(app, path), ofOneCoach, [coach], bio ?? ''));
  }
  return found;
}
