import { Link } from '@tanstack/react-router';
import { useAuth } from '#web/app/auth/auth-provider.tsx';

type OwnLessonLinkProps = { lesson: { slotId: string; title: string }; className?: string };

/** A lesson's title, linked to the lesson's page if the person has the coach role, which the page requires. */
export function OwnLessonLink({ lesson: { slotId, title }, className = '' }: OwnLessonLinkProps) {
  const { isCoach } = useAuth();
  if (!isCoach) return <span className="font-medium">{title}</span>;
  return (
    <Link
      to="/coach/lesson/$slotId"
      params={{ slotId }}
      className={`font-medium hover:underline ${className}`}
    >
      {title}
    </Link>
  );
}
