/** Style of the link home, which consists of the logo and the brand. */
export const brandLinkClasses =
  'flex h-11 shrink-0 items-center gap-2 rounded-md text-lg font-semibold tracking-tight';

/** The product's logo: the corner of a pitch. Decorative, because the name is beside it. */
export function BrandMark() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      className="size-6 text-primary"
    >
      <path d="M4 21V3h17" />
      <path d="M4 13a9 9 0 0 0 9-9" />
    </svg>
  );
}
