import { type RefObject, useEffect, useRef } from 'react';
import { formatLocation } from '#domain/location-text.ts';
import { formatDay, formatLessonTime, formatTime } from '#domain/time.ts';
import type { Register } from './register-copies.ts';
import {
  describeCollection,
  describeFirstAid,
  describePhotos,
  nameWithKnownAs,
  sortNotes,
} from './register-text.ts';

/** The printed register: a landscape table, on one page if it fits, with a box to tick for each person. */
export function RegisterSheet({ register: { lesson, entries, visibleUntil } }: { register: Register }) {
  const sheet = useRef<HTMLDivElement>(null);
  useFitOnPage(sheet);
  const now = Date.now();
  return (
    <div ref={sheet} className="print-alone register-sheet">
      <p>
        <b>{lesson.title}</b>, {formatLessonTime(lesson.startTime, lesson.endTime, now)}, {lesson.coachName}
        {lesson.location && `, ${formatLocation(lesson.location)}`}. Confidential: destroy after{' '}
        {formatDay(visibleUntil, now)}, {formatTime(visibleUntil)}.
      </p>
      <table>
        <thead>
          <tr>
            <th aria-label="Present">✓</th>
            <th>Name</th>
            <th>Emergency contacts</th>
            <th>After the lesson</th>
            <th>Notes</th>
            <th>Consents</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <SheetRow key={entry.bookingId} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SheetRow({ entry }: { entry: Register['entries'][number] }) {
  const { care, age } = entry;
  return (
    <tr>
      <td>
        <span className="register-box" />
      </td>
      <td>
        <b>{nameWithKnownAs(entry)}</b>
        {age !== null && `, ${age}`}
      </td>
      <td>
        {care?.contacts.map(({ name, telephone, relation }) => (
          <div key={`${name} ${telephone}`}>
            {telephone} {name} ({relation})
          </div>
        ))}
      </td>
      <td>
        {care?.collection && describeCollection(care.collection)}
        {care?.collection?.password && `. Password: ${care.collection.password}`}
      </td>
      <td>{describeNotes(care)}</td>
      <td>
        {describePhotos(entry.photos).label}. {describeFirstAid(entry)}.
      </td>
    </tr>
  );
}

function describeNotes(care: Register['entries'][number]['care']): string {
  if (!care) return 'No care details given';
  if (!care.notes) return 'No notes given';
  const { given } = sortNotes(care.notes);
  return given.map(([label, text]) => `${label}: ${text}`).join(' · ') || 'Nothing to note';
}

/** The printable height of landscape A4 with margins of 10 mm, in CSS pixels, minus a little for rounding. */
const pageHeight = ((210 - 20) / 25.4) * 96 - 8;
/** Type sizes in points, from comfortable to barely readable. Below that, a second page is better. */
const sizes = [10, 9, 8, 7, 6];

/** Before printing, chooses the largest type size with which the sheet fits on one page. */
function useFitOnPage(sheet: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    function fit() {
      const { current } = sheet;
      if (!current) return;
      current.dataset.measuring = '';
      for (const size of sizes) {
        current.style.fontSize = `${size}pt`;
        if (current.scrollHeight <= pageHeight) break;
      }
      delete current.dataset.measuring;
    }
    addEventListener('beforeprint', fit);
    return () => removeEventListener('beforeprint', fit);
  }, [sheet]);
}
