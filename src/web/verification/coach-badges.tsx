import { documentsApi } from '#domain/verification/documents-contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { BadgeList } from '#web/ui/lesson/badge-list.tsx';

type CoachBadgesProps = { coachId: string; className?: string };

/** A coach's badges; renders nothing while they are loading or if there are none. */
export function CoachBadges({ coachId, className }: CoachBadgesProps) {
  const { data } = useApi(documentsApi.listBadges, { coachId }, { staleTime: 300_000 });
  return data && data.badges.length > 0 ? (
    <BadgeList badges={data.badges} {...(className && { className })} />
  ) : null;
}
