export const lessonTypes = ['individual', 'group'] as const;
export type LessonType = (typeof lessonTypes)[number];

export const lessonTypeNames: Record<LessonType, string> = { individual: 'Individual', group: 'Group' };
