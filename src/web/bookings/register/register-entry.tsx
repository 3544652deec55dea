import Camera from 'lucide-react/icons/camera';
import CameraOff from 'lucide-react/icons/camera-off';
import Phone from 'lucide-react/icons/phone';
import type { ReactNode } from 'react';
import type { RegisterEntry } from '#domain/bookings/register-contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import {
  describeCollection,
  describeFirstAid,
  describePhotos,
  nameWithKnownAs,
  sortNotes,
} from './register-text.ts';

/** One person in a register, with large links to call their contacts. */
export function RegisterEntryRow({ entry }: { entry: RegisterEntry }) {
  const { age, bookedBy, firstAid, care, isDependant } = entry;
  const photos = describePhotos(entry.photos);
  return (
    <li className="py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-lg wrap-anywhere">{nameWithKnownAs(entry)}</h2>
        {age !== null && <span className="text-muted-foreground tabular-nums">Age {age}</span>}
      </div>
      <p className="mt-2 flex flex-wrap gap-2">
        <Badge tone={photos.isAllowed || !isDependant ? 'neutral' : 'warning'}>
          {photos.isAllowed ? <Camera aria-hidden /> : <CameraOff aria-hidden />}
          {photos.label}
        </Badge>
        {/* Most adults were never asked about first aid. */}
        {(isDependant || firstAid !== null) && (
          <Badge tone={firstAid === 'yes' ? 'neutral' : 'warning'}>{describeFirstAid(entry)}</Badge>
        )}
      </p>
      {care ? <CareDetails care={care} /> : <Line name="Care details">None given</Line>}
      {bookedBy && <Line name="Booked by">{bookedBy}</Line>}
    </li>
  );
}

function CareDetails({
  care: { notes, contacts, collection },
}: {
  care: NonNullable<RegisterEntry['care']>;
}) {
  return (
    <>
      <Notes notes={notes} />
      <ul className="mt-3 grid gap-2 sm:grid-cols-2">
        {contacts.map(({ name, telephone, relation }) => (
          <li key={`${name} ${telephone}`}>
            <a
              href={`tel:${telephone.replace(/[^+\d]/g, '')}`}
              className="flex min-h-12 items-center gap-3 rounded-md border border-input/60 bg-card px-3 py-2 text-sm hover:bg-accent"
            >
              <Phone aria-hidden className="size-4 shrink-0 text-muted-foreground" />
              <span className="min-w-0 wrap-anywhere">
                <span className="block">
                  <span className="font-medium">{name}</span>{' '}
                  <span className="text-muted-foreground">({relation})</span>
                </span>
                <span className="block text-primary tabular-nums">{telephone}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {collection && (
        <Line name="After the lesson">
          {describeCollection(collection)}
          {collection.password && (
            <>
              . Password: <span className="font-medium">{collection.password}</span>
            </>
          )}
        </Line>
      )}
    </>
  );
}

function Notes({ notes }: { notes: NonNullable<RegisterEntry['care']>['notes'] }) {
  if (!notes) return <Line name="Notes">The family hasn't given any notes</Line>;
  const { given, none } = sortNotes(notes);
  return (
    <>
      {given.length > 0 && (
        <dl className="mt-3 space-y-2 rounded-lg border-l-4 border-warning-mark bg-warning-soft px-4 py-3 text-sm">
          {given.map(([label, text]) => (
            <div key={label}>
              <dt className="font-medium text-warning">{label}</dt>
              <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {none.length > 0 && (
        <Line name="Nothing to note">
          {given.length === 0 ? 'health, medication and needs' : none.join(', ')}
        </Line>
      )}
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className="mt-3 text-sm wrap-anywhere">
      <span className="text-muted-foreground">{name}:</span> {children}
    </p>
  );
}
