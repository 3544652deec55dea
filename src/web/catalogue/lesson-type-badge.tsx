import type { LessonType } from '#domain/catalogue/rules.ts';
import { Badge } from '#web/ui/badge.tsx';

/** "Individual" or "Group". */
export function LessonTypeBadge({ lessonType }: { lessonType: LessonType }) {
  return lessonType === 'group' ? <Badge tone="primary">Group</Badge> : <Badge>Individual</Badge>;
}
