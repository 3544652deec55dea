import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant } from '../fields.ts';
import { someLines } from '../text.ts';
import { lessonNotes, progressNote } from './progress-shapes.ts';
import { noteLimits } from './rules.ts';

const slotId = z.uuid().describe('The lesson.');
const bookingId = z.uuid().describe("The participant's booking.");
const noteId = z.uuid().describe('The note.');
const isShared = z.boolean().describe('Whether the family sees the note.');
const body = someLines()
  .max(noteLimits.body, `A note can't be longer than ${noteLimits.body.toLocaleString('en-GB')} characters.`)
  .meta({ description: 'The text; an empty one removes the note.', examples: ['Good footwork today.'] });
const seenAt = instant
  .max(40, "This isn't a time.")
  .nullable()
  .default(null)
  .describe('The `updatedAt` of the note that was edited; null for a new note.');
const isOutdated = z
  .boolean()
  .describe('True if nothing was saved because the note has changed in the meantime.');
const path = z
  .string()
  .max(300, "This isn't one of your pictures.")
  .meta({
    description: 'The path of the picture in the bucket `attachments`.',
    examples: ['a3/notes/b7.webp'],
  });

/** Endpoints for coaches' notes about one participant or about everyone in a lesson. Notes are shared or private. */
export const notesApi = {
  getOfLesson: endpoint({
    method: 'GET',
    path: '/api/coach/slots/:slotId/notes',
    operationId: 'get_lesson_notes',
    gate: 'coach',
    summary: "Get a lesson's notes",
    description: "Everyone in the lesson, with the coach's notes, the family's answer and the newest levels.",
    input: z.object({ slotId }),
    output: lessonNotes,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/coach/bookings/:bookingId/note',
    operationId: 'save_note',
    gate: 'coach',
    summary: 'Save a note about a participant',
    description:
      'Saves the shared or the private note about one participant. Safe to repeat. The family is notified of a shared note once, five minutes after the last change. If the text has changed on another device since `seenAt`, that text is kept and returned.',
    refusals: ['conflict'],
    input: z.object({ bookingId, isShared, body, seenAt }),
    output: z.object({ note: progressNote.nullable(), isOutdated }),
  }),
  saveForAll: endpoint({
    method: 'PUT',
    path: '/api/coach/slots/:slotId/note',
    operationId: 'save_note_for_all',
    gate: 'coach',
    summary: 'Save a note about everyone in a lesson',
    description:
      'Saves one text for everyone who was there, in addition to the notes about each person. Families see it in the timeline of their own participant. Safe to repeat. If the text has changed on another device since `seenAt`, that text is kept.',
    refusals: ['conflict'],
    input: z.object({ slotId, isShared, body, seenAt }),
    output: z.object({
      updatedAt: instant.nullable().describe('When the note was last changed; null if there is none.'),
      isOutdated,
    }),
  }),
  addTo: endpoint({
    method: 'POST',
    path: '/api/coach/notes/:noteId/additions',
    operationId: 'add_to_note',
    gate: 'coach',
    summary: 'Add to a note',
    description: 'Adds a dated text to a note, even after it can no longer be edited. Safe to repeat.',
    input: z.object({
      noteId,
      body: someLines()
        .min(1, 'Write something first.')
        .max(
          noteLimits.addition,
          `You can add up to ${noteLimits.addition.toLocaleString('en-GB')} characters at a time.`,
        )
        .meta({ description: 'The text to add.', examples: ['Two weeks later: much better.'] }),
    }),
    output: z.object({}),
  }),
  addPicture: endpoint({
    method: 'POST',
    path: '/api/coach/notes/:noteId/pictures',
    operationId: 'add_note_picture',
    gate: 'coach',
    summary: 'Add a picture to a note',
    description: `Adds an uploaded picture of the participant, at most ${noteLimits.pictures} for each note. Requires the family's consent to photos for coaching. If the family withdraws that consent, the pictures are deleted.`,
    refusals: ['conflict'],
    input: z.object({ noteId, path }),
    output: z.object({}),
  }),
  removePicture: endpoint({
    method: 'DELETE',
    path: '/api/coach/notes/:noteId/pictures',
    operationId: 'remove_note_picture',
    gate: 'coach',
    summary: 'Remove a picture from a note',
    description: 'Deletes the picture.',
    input: z.object({ noteId, path }),
    output: z.object({}),
  }),
};
