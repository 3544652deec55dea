import type { ReactNode } from 'react';
import { CornerArc } from '#web/ui/page/pitch-lines.tsx';

/**
 * The centred card on the pages for signing in and up, for choosing a new password, and for emailed links.
 */
export function AccountCard({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="relative flex grow flex-col items-center justify-center overflow-hidden px-4 py-10">
      <CornerArc className="absolute top-4 left-4 hidden md:block" />
      <CornerArc className="absolute right-4 bottom-4 hidden rotate-180 md:block" />
      <div className="relative w-full max-w-md rounded-xl border bg-card px-5 py-8 md:px-8">
        <h1 className="text-center">{title}</h1>
        <p className="mt-2 mb-7 text-center text-muted-foreground">{subtitle}</p>
        {children}
      </div>
    </div>
  );
}
