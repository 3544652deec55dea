import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { siteTextSlugs } from '../pages.ts';

/** The longest text, in characters. */
const siteTextLimit = 15_000;

const slug = z.enum(siteTextSlugs);

/** The text of one page; `isDefault` until the operator has written another. */
export const siteText = z.object({ slug, text: z.string(), isDefault: z.boolean() });
export type SiteText = z.output<typeof siteText>;

export const siteTextsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/site-texts',
    operationId: 'list_site_texts',
    gate: 'admin',
    input: z.object({}),
    output: z.object({ texts: z.array(siteText) }),
    summary: 'The texts of the terms, privacy, help and contact pages.',
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/admin/site-texts/:slug',
    operationId: 'save_site_text',
    gate: 'admin',
    reauthenticate: true,
    input: z.object({
      slug,
      /** Empty for the default. */
      text: z
        .string('Enter the text of the page.')
        .trim()
        .max(siteTextLimit, `Write at most ${siteTextLimit.toLocaleString('en-GB')} characters.`),
    }),
    output: z.object({ texts: z.array(siteText) }),
    summary: 'Changes the text of one of these pages; an empty one brings the default back.',
  }),
};
