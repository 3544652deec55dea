import { type SiteTextSlug, siteTextTitles } from '#domain/pages.ts';
import { fillSiteText, readSiteText, type SiteTextBlock } from '#domain/settings/site-texts.ts';
import { Page, type Site } from './page.tsx';

type TextPageProps = { site: Site & { contactEmail: string | null }; slug: SiteTextSlug; text: string };

/** The terms, privacy, help or contact page, with the operator's text. */
export function TextPage({ site, slug, text }: TextPageProps) {
  const title = siteTextTitles[slug];
  return (
    <Page site={site} title={title} description={`${site.brand}: ${title.toLowerCase()}.`} path={`/${slug}`}>
      <article className="mx-auto w-full max-w-page px-4 py-10 md:py-14">
        <h1>{title}</h1>
        <div className="mt-6 max-w-reading space-y-4">
          {readSiteText(fillSiteText(text, site)).map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks are never reordered
            <Block key={at} block={block} contactEmail={site.contactEmail} />
          ))}
        </div>
      </article>
    </Page>
  );
}

function Block({ block, contactEmail }: { block: SiteTextBlock; contactEmail: string | null }) {
  if (block.kind === 'heading') return <h2 className="pt-4 text-lg">{block.text}</h2>;
  if (block.kind === 'paragraph') return <p>{withLink(block.text, contactEmail)}</p>;
  return (
    <ul className="list-disc space-y-1.5 pl-5">
      {block.items.map((item) => (
        <li key={item}>{withLink(item, contactEmail)}</li>
      ))}
    </ul>
  );
}

function withLink(text: string, contactEmail: string | null) {
  const [before, ...after] = contactEmail ? text.split(contactEmail) : [text];
  if (after.length === 0) return text;
  return (
    <>
      {before}
      <a href={`mailto:${contactEmail}`} className="text-primary underline underline-offset-4">
        {contactEmail}
      </a>
      {after.join(contactEmail!)}
    </>
  );
}
