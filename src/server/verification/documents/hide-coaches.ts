import type { Database } from '#server/platform/db/db.ts';
import { renewClearances } from '../verification-policy.ts';
import { notifyOfHiddenLessons } from './notify-of-hidden-lessons.ts';
import { replaceEarlier } from './replace-earlier.ts';

/**
 * Hides coaches whose required documents have ended, lists those whose documents have begun to count, and notifies
 * them, the owners and the admins. The statement that takes a seat compares the day itself, so nobody can book a coach
 * with ended documents even if this runs late. Safe to stop and repeat.
 */
export async function renewListings(db: Database): Promise<void> {
  await replaceEarlier(db, null);
  await renewClearances(db);
  await notifyOfHiddenLessons(db, { lastedSeconds: 0 });
}
