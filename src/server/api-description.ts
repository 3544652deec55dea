import type { Hono } from 'hono';
import { defaultBrand } from '#domain/default-brand.ts';
import { apiAreas } from './api-areas.ts';
import type { Variables } from './platform/http/http.ts';
import { serveApiPage } from './platform/openapi/api-page.ts';
import { type ApiDescription, describeApi } from './platform/openapi/describe-api.ts';

const introduction = `Amounts (\`…Cents\`) are whole numbers of minor units (pence). Instants are in UTC (ISO 8601); dates and local times are in London time.

## Getting an access token

1. Sign up with \`POST /auth/v1/signup\` and open the link in the email, or use an existing account.
2. Call \`POST /auth/v1/token?grant_type=password\` with \`{"email": "…", "password": "…"}\`.
3. Send the \`access_token\` of the response with every call: \`Authorization: Bearer …\`. It is valid for an hour.
4. Renew it with \`POST /auth/v1/token?grant_type=refresh_token\` and \`{"refresh_token": "…"}\`. A refresh token can be used once.

With two-step sign-in, call \`auth_challenge_factor\` and then \`auth_verify_factor\` for the second step.
Supabase's auth-js does all of this if its URL is this server's \`/auth/v1\`.

## Calls and refusals

Send JSON. A refused call changes nothing, except that \`payment_failed\` may mean a charge that is refunded.
\`error.code\` is from a fixed list, \`error.message\` is a message for the person, and \`error.fields\` has a message
for each invalid field.
After a 429 or 503, wait for the number of seconds in \`Retry-After\`.

Lists with a \`nextCursor\` are paged.
Send \`nextCursor\` as \`cursor\` to get the next page; it is null on the last page.`;

const tokenHelp = 'The `access_token` of `POST /auth/v1/token?grant_type=password`; valid for an hour.';

/** The OpenAPI document of the whole product. `publicUrl` has no trailing slash. */
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
 * Serves the API description to programs at `/api/openapi.json` and to people at `/api`. The document is generated on
 * the first request, and again after an admin changes the brand.
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
