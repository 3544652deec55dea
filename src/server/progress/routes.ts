import { progressApi } from '#domain/progress/contract.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { welfareApi } from '#domain/progress/welfare-contract.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { answerLesson } from './answer-lesson.ts';
import { addGoal, assessSkill, updateGoal } from './goals.ts';
import { readLessonNotes } from './lesson-notes.ts';
import { addNotePicture, removeNotePicture } from './note-pictures.ts';
import type { ProgressParts } from './read-notes.ts';
import { readFamilyProgress, readTaughtProgress } from './read-progress.ts';
import { addToNote, saveNote, saveNoteForAll } from './save-note.ts';
import { readSkillLists, savePayoutNeeds, saveSkills } from './skill-lists.ts';
import { handleConcern, listConcerns, reportConcern } from './welfare-concerns.ts';

/** The endpoints for notes after lessons, goals and skills, families' answers and welfare concerns. */
export function progressRoutes(parts: ProgressParts): Route[] {
  const { db } = parts;
  return [
    route(progressApi.get, (input, { userId }) => readFamilyProgress(parts, userId, input)),
    route(progressApi.answer, async (input, person) => {
      await answerLesson(db, person, input);
      return {};
    }),
    route(notesApi.getOfLesson, ({ slotId }, { userId }) => readLessonNotes(parts, userId, slotId)),
    route(notesApi.save, (input, coach) => saveNote(parts, coach, input)),
    route(notesApi.saveForAll, (input, coach) => saveNoteForAll(db, coach, input)),
    route(notesApi.addTo, async (input, coach) => {
      await addToNote(db, coach, input);
      return {};
    }),
    route(notesApi.addPicture, async (input, coach) => {
      await addNotePicture(db, coach, input);
      return {};
    }),
    route(notesApi.removePicture, async (input, coach) => {
      await removeNotePicture(db, coach, input);
      return {};
    }),
    route(skillsApi.getParticipant, (input, { userId }) => readTaughtProgress(parts, userId, input)),
    route(skillsApi.assess, async (input, coach) => {
      await assessSkill(db, coach, input);
      return {};
    }),
    route(skillsApi.addGoal, async (input, coach) => ({ goalId: await addGoal(db, coach, input) })),
    route(skillsApi.updateGoal, async (input, coach) => {
      await updateGoal(db, coach, input);
      return {};
    }),
    route(skillsApi.getLists, (_, { userId }) => readSkillLists(db, userId)),
    route(skillsApi.saveList, async (input, coach) => ({ skills: await saveSkills(db, coach, input) })),
    route(skillsApi.savePayoutNeeds, async (input, coach) => {
      await savePayoutNeeds(db, coach, input);
      return {};
    }),
    route(welfareApi.report, (input, coach) => reportConcern(db, coach, input)),
    route(welfareApi.list, (input, person) => listConcerns(db, person, input)),
    route(welfareApi.handle, async ({ concernId }, person) => {
      await handleConcern(db, person, concernId);
      return {};
    }),
  ];
}
