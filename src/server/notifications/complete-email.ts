import type { Database } from '#server/platform/db/db.ts';
import type { CompleteEmail } from '#server/platform/email.ts';
import { readSettings } from '#server/settings/queries.ts';
import { renderEmailHtml } from './email-layout.ts';

/** Makes what adds the operator's name, the HTML part and the address for answers to an email that is about to leave. */
export const createCompleteEmail =
  (db: Database): CompleteEmail =>
  async (message) => {
    const { brand, contact } = await readSettings(db);
    const contactEmail = contact.email || null;
    return {
      html: renderEmailHtml(message, { brand: brand.name, contactEmail }),
      ...(contactEmail && { replyTo: contactEmail }),
    };
  };
