import Check from 'lucide-react/icons/check';
import CloudOff from 'lucide-react/icons/cloud-off';
import { type ReactNode, useState } from 'react';
import { notesApi } from '#domain/progress/notes-contract.ts';
import type { ProgressNote } from '#domain/progress/progress-shapes.ts';
import { noteLimits, privateNoteText } from '#domain/progress/rules.ts';
import { formatDay } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { toastError } from '#web/ui/overlay/toaster.ts';
import type { DraftState, NoteOutbox, NoteTarget } from './note-outbox.ts';

type NoteEditorProps = {
  outbox: NoteOutbox;
  /** "Mia Morgan", or "everyone". */
  name: string;
  about: 'one' | 'all';
  id: string;
  notes: readonly ProgressNote[];
  /** Rendered below a note that exists. */
  children?: (note: ProgressNote) => ReactNode;
};

const visibilities = [
  { value: 'shared', label: 'Shared with the family' },
  { value: 'private', label: 'Private' },
] as const;

/** The shared and the private note about one person or everyone. Saves them while the coach types. */
export function NoteEditor({ outbox, name, about, id, notes, children }: NoteEditorProps) {
  const [visibility, setVisibility] = useState<'shared' | 'private'>('shared');
  const isShared = visibility === 'shared';
  const target: NoteTarget = { about, id, isShared };
  const note = notes.find((found) => found.isShared === isShared && found.isForAll === (about === 'all'));
  const draft = outbox.draftOf(target);
  const state = outbox.stateOf(target);
  const isLocked = note !== undefined && Date.parse(note.lockedAt) <= Date.now();
  return (
    <div className="space-y-3">
      <SegmentedControl
        label={`Who sees the note about ${name}`}
        value={visibility}
        onValueChange={setVisibility}
        options={visibilities}
        className="w-full"
      />
      {isLocked ? (
        <LockedNote note={note} />
      ) : (
        <FormField
          label={`${isShared ? 'Note' : 'Private note'} about ${name}`}
          isLabelHidden
          hint={isShared ? 'We notify the family a few minutes after you stop typing.' : privateNoteText}
        >
          <Textarea
            rows={4}
            maxLength={noteLimits.body}
            placeholder={about === 'all' ? 'What did you practise?' : 'What went well, and what comes next?'}
            value={draft?.body ?? note?.body ?? ''}
            onChange={({ currentTarget }) =>
              outbox.write(target, currentTarget.value, note?.updatedAt ?? null)
            }
          />
        </FormField>
      )}
      <SaveState
        state={state}
        isSaved={note !== undefined && !draft}
        onKeep={() => outbox.overwrite(target, note?.updatedAt ?? null)}
        onDiscard={() => outbox.discard(target)}
        other={note?.body ?? ''}
      />
      {note && children?.(note)}
    </div>
  );
}

type SaveStateProps = {
  state: DraftState | undefined;
  isSaved: boolean;
  onKeep: () => void;
  onDiscard: () => void;
  /** The server's text. */
  other: string;
};

/** Shows whether a note is saved, and lets the coach choose if the text on the server differs. */
function SaveState({ state, isSaved, onKeep, onDiscard, other }: SaveStateProps) {
  const status = state?.status;
  return (
    <div role="status" className="min-h-6 text-sm">
      {status === 'outdated' ? (
        <div className="rounded-lg bg-warning-soft px-4 py-3 text-warning">
          <p>This note has changed on another device:</p>
          <p className="mt-1 whitespace-pre-line wrap-anywhere text-foreground">{other || '(removed)'}</p>
          <p className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" onClick={onKeep}>
              Keep my text
            </Button>
            <Button size="sm" variant="secondary" onClick={onDiscard}>
              Use the other text
            </Button>
          </p>
        </div>
      ) : status === 'refused' ? (
        <p className="flex flex-wrap items-center gap-3 text-destructive">
          Not saved. {state?.message}
          <Button size="sm" variant="secondary" onClick={onDiscard}>
            Discard my text
          </Button>
        </p>
      ) : status === 'offline' ? (
        <p className="flex items-center gap-2 text-warning">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          Not sent yet. We've kept this on your device and will send it later.
        </p>
      ) : status ? (
        <p className="text-muted-foreground">Saving...</p>
      ) : (
        isSaved && (
          <p className="flex items-center gap-2 text-success">
            <Check aria-hidden className="size-4 shrink-0" />
            Saved
          </p>
        )
      )}
    </div>
  );
}

/** A note that can no longer be edited, with a field to add to it. */
function LockedNote({ note }: { note: ProgressNote }) {
  const [text, setText] = useState('');
  const add = useApiMutation(notesApi.addTo, { invalidates: [notesApi.getOfLesson] });
  const submit = () =>
    add.mutate(
      { noteId: note.noteId, body: text },
      { onSuccess: () => setText(''), onError: (error) => toastError(error.message) },
    );
  return (
    <>
      <NoteText note={note} />
      <FormField
        label="Add to this note"
        hint="A note can be edited for 7 days. After that you can only add to it."
      >
        <Textarea
          maxLength={noteLimits.addition}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </FormField>
      <Button
        variant="secondary"
        disabled={text.trim() === ''}
        isLoading={add.isPending}
        loadingText="Adding..."
        onClick={submit}
      >
        Add
      </Button>
    </>
  );
}

/** The text of a note with its later additions and pictures. */
export function NoteText({ note }: { note: ProgressNote }) {
  const now = Date.now();
  return (
    <div className="max-w-reading">
      <p className="whitespace-pre-line wrap-anywhere">{note.body}</p>
      {note.additions.map(({ body, addedAt }) => (
        <p key={addedAt} className="mt-2 border-l-2 pl-3 text-sm whitespace-pre-line wrap-anywhere">
          <span className="block text-xs text-muted-foreground">Added {formatDay(addedAt, now)}</span>
          {body}
        </p>
      ))}
      {note.pictures.length > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {note.pictures.map(({ path, url, width, height }, index) => (
            <li key={path}>
              <a href={url} target="_blank" rel="noreferrer">
                <img
                  src={url}
                  width={width}
                  height={height}
                  alt={`From the lesson, ${index + 1} of ${note.pictures.length}`}
                  loading="lazy"
                  decoding="async"
                  className="h-28 w-auto rounded-lg border bg-muted object-cover"
                />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
