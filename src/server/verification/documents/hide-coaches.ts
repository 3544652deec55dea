import type { Database } from '#server/platform/db/db.ts';
import { renewClearances } from '../verification-policy.ts';
import { notifyOfHidings } from './notify-of-hidings.ts';
import { replaceEarlier } from './replace-earlier.ts';

/**
 * Hides coaches whose documents ended yesterday, lists those whose documents begin today, and notifies everyone
 * concerned. The statement that takes a seat compares the day itself, so a late run allows no bookings. Safe to stop
 * and repeat.
 */
export async function renewListings(db: Database): Promise<void> {
  await replaceEarlier(db, null);
  await renewClearances(db);
  await notifyOfHidings(db, { lastedSeconds: 0 });
}
