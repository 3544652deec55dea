import type { ModerationEntry } from '#domain/reviews/moderation-contract.ts';
import type { RemovalReason } from '#domain/reviews/rules.ts';
import type { Tx } from '#server/platform/db/db.ts';

type Entry = {
  reviewId: string;
  action: ModerationEntry['action'];
  about?: ModerationEntry['about'];
  reason?: RemovalReason | null;
};

/** Writes to the moderation log, which contains neither texts nor names. */
export async function logModeration(tx: Tx, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ about = 'review', reason = null, ...entry }) => ({ ...entry, about, reason }));
  await tx.insertInto('moderationLog').values(rows).execute();
}
