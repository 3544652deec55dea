import type { Hono } from 'hono';
import { defaultBrand } from '#domain/default-brand.ts';
import { apiAreas } from './api-areas.ts';
import type { Variables } from './platform/http/http.ts';
import { serveApiPage } from './platform/openapi/api-page.ts';
import { type ApiDescription, describeApi } from './platform/openapi/describe-api.ts';

const introduction = `Money is in whole pence (\`…Cents\`). Instants are ISO 8601 in UTC; dates and wall times are London's.

## Getting an access token

1. Sign up with \`POST /auth/v1/signup\` and open the link in the email, or use an account that exists.
2. Call \`POST /auth/v1/token?grant_type=password\` with \`{"email": "…", "password": "…"}\`.
3. Send the \`access_token\` of the response with every call: \`Authorization: Bearer …\`. It is valid for an hour.
4. Renew it with \`POST /auth/v1/token?grant_type=refresh_token\` and \`{"refresh_token": "…"}\`. A refresh token works once.

With two-step sign-in, \`auth_challenge_factor\` and \`auth_verify_factor\` follow the second step.
Supabase's auth-js does all of this if its URL is \`/auth/v1\` of this server.

## Calls and refusals

Send JSON. A refused call has changed nothing. \`error.code\` is one of a closed list, \`error.message\` is a sentence for
the person, \`error.fields\` has one for each wrong field. After 429 and 503, wait for as many seconds as \`Retry-After\` says.

Lists with a \`nextCursor\` come a page at a time: send it back as \`cursor\` for the next page; null ends the list.`;

const tokenHelp = 'The `access_token` of `POST /auth/v1/token?grant_type=password`; valid for an hour.';

/** The OpenAPI document of the whole product. `publicUrl` has no slash at the end. */
export function describeProduct({ brand, publicUrl }: { brand: string; publicUrl: string }): ApiDescription {
  const info = {
    title: `${brand} API`,
    version: '1',
    description: introduction,
    contact: { name: brand, url: `${publicUrl}/contact` },
    license: { name: 'MIT', identifier: 'MIT' },
  };
  return describeApi(apiAreas, { info, serverUrl: publicUrl, token: tokenHelp });
}

/**
 * Serves the description of the API for programs at `/api/openapi.json` and for people at `/api`. It is written at the
 * first request, and again when an admin has changed the brand.
 */
export function serveApiDescription(
  app: Hono<{ Variables: Variables }>,
  { publicUrl, readBrand }: { publicUrl: string; readBrand: () => Promise<string> },
): void {
  let written: { brand: string; description: ApiDescription } | undefined;
  const describe = async () => {
    const brand = await readBrand().catch(() => defaultBrand);
    if (written?.brand !== brand) written = { brand, description: describeProduct({ brand, publicUrl }) };
    return written.description;
  };
  app.get('/api/openapi.json', async (c) => c.json(await describe()));
  serveApiPage(app, describe);
}
