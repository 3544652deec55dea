import { siteTextSlugs, siteTextTitles } from '#domain/pages.ts';

export const footerLink = 'py-2 hover:text-foreground hover:underline';

/** Links to terms, privacy, help and contact. The server renders those pages, so the links leave the app. */
export function SiteLinks({ isNewTab = false }: { isNewTab?: boolean }) {
  return siteTextSlugs.map((slug) => (
    <a
      key={slug}
      href={`/${slug}`}
      {...(isNewTab && { target: '_blank', rel: 'noopener' })}
      className={footerLink}
    >
      {siteTextTitles[slug]}
    </a>
  ));
}
