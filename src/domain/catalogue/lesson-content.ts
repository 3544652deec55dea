import { type LessonContent, lessonContent } from './template.ts';

/** The fields of a template that each booking copies; customers are emailed about any change to them. */
export const lessonContentFields = Object.keys(lessonContent.shape) as (keyof LessonContent)[];

/** True if two contents are identical, character by character. */
export const isSameContent = (a: LessonContent, b: LessonContent) =>
  lessonContentFields.every((field) => a[field] === b[field]);
