import { coachPath } from '#domain/pages.ts';

type CoachLinkProps = {
  coach: { coachId: string; coachName: string; coachAddress: string | null };
  className?: string;
};

/** A coach's name, linking to their page. That page is server-rendered, so the link leaves the app. */
export function CoachLink({ coach, className = '' }: CoachLinkProps) {
  return (
    <a
      href={coachPath(coach)}
      className={`underline decoration-border underline-offset-4 hover:text-foreground hover:decoration-current ${className}`}
    >
      {coach.coachName}
    </a>
  );
}
