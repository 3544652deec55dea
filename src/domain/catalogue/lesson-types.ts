export const lessonTypes = ['individual', 'group'] as const;
export type LessonType = (typeof lessonTypes)[number];

/** The names of the lesson types on screens. */
export const lessonTypeNames: Record<LessonType, string> = { individual: 'Individual', group: 'Group' };
