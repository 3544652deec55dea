import { Link, type LinkProps } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';

type BackLinkProps = Pick<LinkProps, 'to' | 'params' | 'search'> & { children: string };

/** The link above a record's heading to the screen that lists such records; not printed. */
export function BackLink({ children, ...target }: BackLinkProps) {
  return (
    <Link
      {...target}
      className="-my-2 inline-flex min-h-11 items-center gap-1.5 self-start text-sm text-muted-foreground hover:text-foreground print:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  );
}
