import type { SVGProps } from 'react';

/**
 * The icons of the first paint. They are lucide's (ISC licence), rendered without its runtime, which alone would be
 * as large as the whole header; every other icon is loaded from `lucide-react/icons/…` with the page that shows it.
 */
function createIcon(path: string) {
  return function Icon(props: SVGProps<SVGSVGElement>) {
    return (
      <svg
        aria-hidden="true"
        width="24"
        height="24"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        <path d={path} />
      </svg>
    );
  };
}

export const ChevronDown = createIcon('m6 9 6 6 6-6');
export const LoaderCircle = createIcon('M21 12a9 9 0 1 1-6.219-8.56');
export const Menu = createIcon('M4 5h16M4 12h16M4 19h16');
export const SunMoon = createIcon(
  'M12 2v2M14.837 16.385a6 6 0 1 1-7.223-7.222c.624-.147.97.66.715 1.248a4 4 0 0 0 5.26 5.259c.589-.255 1.396.09 1.248.715M16 12a4 4 0 0 0-4-4M19 5l-1.256 1.256M20 12h2',
);
