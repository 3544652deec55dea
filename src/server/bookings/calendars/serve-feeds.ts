import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { type FeedScope, feedTtlSeconds } from '#domain/bookings/calendar-rules.ts';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { AssertReadAllowed } from '#server/platform/http/address-limit.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { consume, describeWait } from '#server/platform/http/rate-limit.ts';
import { createCachedBody, isEtagKnown, sendCached } from '#server/platform/http/send-cached.ts';
import { findFeed, recordReading } from './calendar-feeds.ts';
import { writeFeed } from './calendar-file.ts';
import { listEvents } from './lesson-events.ts';
import { organizerOf } from './organizer.ts';

/** A program that follows `REFRESH-INTERVAL` reads a feed once an hour. */
const feedLimit = { calls: 60, seconds: 60 * 60 };

/** Raise this number when the format of feeds changes, so that programs fetch the new format. */
const formatVersion = 1;

const nameOf: Record<FeedScope, string> = { customer: 'my bookings', coach: 'my lessons' };

/**
 * Serves the calendar feeds. Unknown addresses give 410, as revoked ones do: nobody can guess 256 random bits, so an
 * unknown address was valid once and its row has been deleted. The ETag ignores DTSTAMP, the time at which the file was
 * made. The lessons may be read from the replica, but the address is always looked up on the primary.
 */
export function serveFeeds(
  app: Hono<{ Variables: Variables }>,
  parts: {
    db: Database;
    readDb: Database;
    config: Pick<Config, 'publicUrl' | 'email'>;
    readBrand: () => Promise<string>;
    assertReadAllowed: AssertReadAllowed;
  },
): void {
  const { db, readDb, config } = parts;
  app.get('/calendar/:file{[\\w-]{43}\\.ics}', async (c) => {
    parts.assertReadAllowed(c.get('ipAddress'));
    const feed = await findFeed(db, c.req.param('file').slice(0, -'.ics'.length));
    if (!feed) {
      c.header('cache-control', 'no-store');
      return c.text('This calendar address has been switched off. Sign in to create a new one.\n', 410);
    }
    const retryAfterSeconds = await consume(db, `calendar-feed:${feed.feedId}`, feedLimit);
    if (retryAfterSeconds !== null) {
      throw new AppError(
        'too_many_requests',
        `This calendar is being read too often. Please try again in ${describeWait(retryAfterSeconds)}.`,
        { details: { retryAfterSeconds } },
      );
    }
    const [events, brand] = await Promise.all([
      listEvents[feed.scope](readDb, { userId: feed.userId, publicUrl: config.publicUrl }),
      parts.readBrand(),
    ]);
    // A failed request is not recorded: people who get no lessons from the feed need invitations.
    await recordReading(db, feed);
    const organizer = organizerOf(config, brand);
    const name = `${brand}: ${nameOf[feed.scope]}`;
    const content = JSON.stringify([formatVersion, name, organizer, events]);
    const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    c.header('cache-control', 'private, no-cache');
    if (isEtagKnown(c.req.header('if-none-match'), etag)) {
      c.header('etag', etag);
      return c.body(null, 304);
    }
    const file = await writeFeed(events, {
      method: 'PUBLISH',
      organizer,
      feed: { name, ttlSeconds: feedTtlSeconds },
    });
    const sent = await sendCached(c, { ...createCachedBody(file, 'text/calendar; charset=utf-8'), etag });
    sent.headers.set('cache-control', 'private, no-cache');
    sent.headers.set('x-robots-tag', 'noindex');
    return sent;
  });
}
