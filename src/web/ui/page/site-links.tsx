import { siteTextSlugs, siteTextTitles } from '#domain/pages.ts';

/** Links to terms, privacy, help and contact. The server renders those pages, so they leave the app. */
export function SiteLinks({ isNewTab = false }: { isNewTab?: boolean }) {
  return siteTextSlugs.map((slug) => (
    <a
      key={slug}
      href={`/${slug}`}
      {...(isNewTab && { target: '_blank', rel: 'noopener' })}
      className="py-2 hover:text-foreground hover:underline"
    >
      {siteTextTitles[slug]}
    </a>
  ));
}
