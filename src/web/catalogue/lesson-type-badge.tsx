import { type LessonType, lessonTypeNames } from '#domain/catalogue/lesson-types.ts';
import { Badge } from '#web/ui/badge.tsx';

export function LessonTypeBadge({ lessonType }: { lessonType: LessonType }) {
  return <Badge {...(lessonType === 'group' && { tone: 'primary' })}>{lessonTypeNames[lessonType]}</Badge>;
}
