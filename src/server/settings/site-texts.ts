import { sql } from 'kysely';
import { z } from 'zod';
import type { Person } from '#domain/access.ts';
import { type SiteTextSlug, siteTextSlugs } from '#domain/pages.ts';
import { defaultSiteTexts } from '#domain/settings/site-texts.ts';
import type { SiteText } from '#domain/settings/site-texts-contract.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

const stored = z.object({ text: z.string() });
const keyOf = (slug: SiteTextSlug) => `text_${slug}`;

/** The text of every page that the operator can edit: the operator's own text, or the default. */
export async function listSiteTexts(db: Database | Tx): Promise<SiteText[]> {
  const rows = await db
    .selectFrom('siteSettings')
    .select(['key', 'value'])
    .where('key', 'in', siteTextSlugs.map(keyOf))
    .execute();
  return siteTextSlugs.map((slug) => {
    const own = stored.safeParse(rows.find(({ key }) => key === keyOf(slug))?.value).data;
    return { slug, text: own?.text ?? defaultSiteTexts[slug], isDefault: !own };
  });
}

/** Changes one text, or restores its default if `text` is empty. An unchanged text is not audited. */
export function saveSiteText(
  db: Database,
  admin: Person,
  { slug, text }: { slug: SiteTextSlug; text: string },
): Promise<SiteText[]> {
  const key = keyOf(slug);
  return db.transaction().execute(async (tx) => {
    const before = (await listSiteTexts(tx)).find((one) => one.slug === slug);
    const isDefault = text === '' || text === defaultSiteTexts[slug];
    if (isDefault) await tx.deleteFrom('siteSettings').where('key', '=', key).execute();
    else {
      const value = JSON.stringify({ text });
      await tx
        .insertInto('siteSettings')
        .values({ key, value })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ value, updatedAt: sql<string>`now()` }),
        )
        .execute();
    }
    const texts = await listSiteTexts(tx);
    const after = texts.find((one) => one.slug === slug);
    if (before?.text !== after?.text) {
      const event = { action: 'setting.changed', subjectType: 'setting', subjectId: key };
      await recordAudit(tx, admin, {
        ...event,
        before: { text: before?.text },
        after: { text: after?.text },
      });
    }
    return texts;
  });
}
