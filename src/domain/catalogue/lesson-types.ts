export const lessonTypes = ['individual', 'group'] as const;
export type LessonType = (typeof lessonTypes)[number];

/** What screens call the types of lessons. */
export const lessonTypeNames: Record<LessonType, string> = { individual: 'Individual', group: 'Group' };
