import type { Database } from '#server/platform/db/db.ts';
import type { CompleteMail } from '#server/platform/mail.ts';
import { readSettings } from '#server/settings/queries.ts';
import { renderEmailHtml } from './email-layout.ts';

/** Makes what adds the operator's name, the HTML part and the address for answers to an email that is about to leave. */
export const createCompleteEmail =
  (db: Database): CompleteMail =>
  async (mail) => {
    const { brand, contact } = await readSettings(db);
    const contactEmail = contact.email || null;
    return {
      html: renderEmailHtml(mail, { brand: brand.name, contactEmail }),
      ...(contactEmail && { replyTo: contactEmail }),
    };
  };
