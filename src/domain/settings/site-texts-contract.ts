import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { siteTextSlugs } from '../pages.ts';

/** The maximum length of a text, in characters. */
const siteTextLimit = 15_000;

const slug = z.enum(siteTextSlugs).describe('The page.');

export const siteText = z
  .object({ slug, text: z.string().meta({ examples: ['Write to us at any time.'] }), isDefault: z.boolean() })
  .meta({
    id: 'SiteText',
    description: 'The text of one page; `isDefault` is true until the operator saves another text.',
  });
export type SiteText = z.output<typeof siteText>;

export const siteTextInput = z.object({
  slug,
  text: z
    .string('Enter the text of the page.')
    .trim()
    .max(siteTextLimit, `Write at most ${siteTextLimit.toLocaleString('en-GB')} characters.`)
    .meta({ description: 'Empty for the default.', examples: ['Write to us at any time.'] }),
});

export const siteTextsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/site-texts',
    operationId: 'list_site_texts',
    gate: 'admin',
    summary: 'List the texts of the public pages',
    description: 'The texts of the terms, privacy, help and contact pages.',
    input: z.object({}),
    output: z.object({ texts: z.array(siteText) }),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/admin/site-texts/:slug',
    operationId: 'save_site_text',
    gate: 'admin',
    summary: 'Change the text of a public page',
    description: 'Changes the text of one public page; an empty text restores the default.',
    reauthenticate: true,
    input: siteTextInput,
    output: z.object({ texts: z.array(siteText) }),
  }),
};
