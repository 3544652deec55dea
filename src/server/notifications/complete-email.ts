import type { Database } from '#server/platform/db/db.ts';
import type { CompleteEmail } from '#server/platform/email.ts';
import { readSettings } from '#server/settings/queries.ts';
import { renderEmailHtml } from './email-layout.ts';

/** Adds the operator's name, the HTML part and the reply-to address to an email before it is sent. */
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
