import { type LessonContent, lessonContent } from './contract.ts';

/** The fields of a lesson that come from its template: customers are emailed about a change of any of them. */
export const lessonContentFields = Object.keys(lessonContent.shape) as (keyof LessonContent)[];

/** True if nothing that a customer bought by has changed. Any difference of letters counts. */
export const isSameContent = (a: LessonContent, b: LessonContent) =>
  lessonContentFields.every((field) => a[field] === b[field]);
