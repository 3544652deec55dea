import type { Hono } from 'hono';
import { storeChoice } from '#server/notifications/preferences.ts';
import { readUnsubscribeToken } from '#server/notifications/signed-tokens.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { AssertReadAllowed } from '#server/platform/http/address-limit.ts';
import type { Variables } from '#server/platform/http/http.ts';
import type { ReadSite } from '#server/settings/read-site.ts';
import { renderUnsubscribe } from '#site/render.tsx';

type Parts = {
  config: Pick<Config, 'dataKeys'>;
  db: Database;
  readSite: ReadSite;
  assertReadAllowed: AssertReadAllowed;
};

/**
 * Serves the page behind List-Unsubscribe (RFC 8058). A GET only shows the page. A POST, from the page's button or an
 * email program, immediately stops emails of one kind to one person. The token names the kind and the person, so the
 * person doesn't have to sign in.
 */
export function serveUnsubscribePage(
  app: Hono<{ Variables: Variables }>,
  { config, db, readSite, assertReadAllowed }: Parts,
): void {
  app.on(['GET', 'POST'], '/unsubscribe', async (c) => {
    assertReadAllowed(c.get('ipAddress'));
    const token = c.req.query('token') ?? '';
    const found = readUnsubscribeToken(config, token);
    const isPost = c.req.method === 'POST';
    if (found && isPost) await storeChoice(db, found.userId, found.kind, 'email', false);
    const state = !found ? 'unknown' : isPost ? 'done' : 'ask';
    c.header('cache-control', 'no-store');
    c.header('referrer-policy', 'no-referrer');
    const page = renderUnsubscribe({ site: await readSite(), kind: found?.kind ?? null, state, token });
    return c.html(page, found ? 200 : 404);
  });
}
