import type { CompleteEmail } from '#server/notifications/email-channel.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readProduct } from '#server/settings/queries.ts';
import { renderEmailHtml } from './email-layout.ts';

/** Adds the operator's name, the HTML part and the reply-to address to an email before it is sent. */
export const createCompleteEmail =
  (db: Database): CompleteEmail =>
  async (message) => {
    const { brand, contactEmail } = await readProduct(db);
    return {
      html: renderEmailHtml(message, { brand, contactEmail }),
      ...(contactEmail && { replyTo: contactEmail }),
    };
  };
