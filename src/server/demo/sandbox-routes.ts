import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { readText } from '#server/platform/http/read-body.ts';
import { publishDueReviews } from '#server/reviews/publish-reviews.ts';
import { isBrowserRequest } from '#tools/stripe-sandbox/browser-paths.ts';

type Parts = { config: Config; db: Database };

const prefix = '/sandbox/stripe';

/**
 * Gives browsers access to the Stripe simulator if the simulator stands in for Stripe. In the demo, also serves the
 * newest 50 emails written to the outbox, optionally only those to the address in `to`, and the newest push messages of
 * the stand-in for push services. The stand-in gives subscriptions to browsers that cannot reach a push service. The
 * simulator's controls are not reachable through these routes. Another route publishes waiting reviews immediately,
 * because nobody tries the demo for a whole day.
 */
export function serveSandbox(app: Hono<{ Variables: Variables }>, { config, db }: Parts): void {
  const { apiBase } = config.stripe;
  if (apiBase) {
    app.all(`${prefix}/*`, async (c) => {
      const path = new URL(c.req.url).pathname.slice(prefix.length);
      if (!isBrowserRequest(c.req.method, path)) {
        throw new AppError('not_found', "There's nothing at this URL.");
      }
      // A visitor may use only the publishable key.
      const headers = {
        authorization: `Bearer ${config.stripe.publishableKey ?? ''}`,
        'content-type': c.req.header('content-type') ?? 'application/x-www-form-urlencoded',
      };
      const hasBody = c.req.method !== 'GET' && c.req.method !== 'HEAD';
      const answer = await fetch(new URL(path + new URL(c.req.url).search, apiBase), {
        method: c.req.method,
        headers,
        body: hasBody ? await readText(c.req.raw) : null,
        redirect: 'manual',
      }).catch((cause) => {
        throw new AppError('unavailable', "The Stripe simulator isn't responding. Please try again.", {
          cause,
        });
      });
      const kept = new Headers();
      for (const name of ['content-type', 'content-security-policy', 'cache-control']) {
        const value = answer.headers.get(name);
        if (value) kept.set(name, value);
      }
      return new Response(answer.body, { status: answer.status, headers: kept });
    });
  }
  const serviceBase = config.isDemo && config.push?.serviceBase;
  if (serviceBase) {
    const pass = async (path: string, method: 'GET' | 'POST') => {
      const answer = await fetch(new URL(path, serviceBase), { method }).catch((cause) => {
        throw new AppError(
          'unavailable',
          "The stand-in for push services isn't responding. Please try again.",
          { cause },
        );
      });
      return new Response(answer.body, {
        status: answer.status,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      });
    };
    app.get('/sandbox/push-messages', () => pass('/messages', 'GET'));
    app.post('/sandbox/push-subscriptions', () => pass('/subscriptions', 'POST'));
  }
  if (config.isDemo) {
    app.post('/sandbox/published-reviews', async (c) => {
      await sql`update reviews set submitted_at = submitted_at - interval '25 hours' where status = 'pending'`.execute(
        db,
      );
      await publishDueReviews(db);
      return c.json({});
    });
  }
  const { outbox } = config.email;
  // Emails contain links that sign people in, so they are listed only in the demo.
  if (config.isDemo && outbox) {
    const read = new Map<string, { to: string }>();
    app.get('/sandbox/outbox', async (c) => {
      const to = c.req.query('to');
      const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.json'));
      // An email never changes after it is written.
      for (const file of files.filter((name) => !read.has(name))) {
        read.set(file, JSON.parse(await readFile(join(outbox, file), 'utf8')));
      }
      const newestFirst = files
        .sort()
        .reverse()
        .map((file) => read.get(file)!);
      return c.json({ emails: newestFirst.filter((email) => !to || email.to === to).slice(0, 50) });
    });
  }
}
