import { toNestErrors } from '@hookform/resolvers';
import { type FieldError, type Resolver, useForm } from 'react-hook-form';
import type { Care } from '#domain/accounts/care.ts';
import { careApi, saveCareInput } from '#domain/accounts/care-contract.ts';
import { refuseNotesWithoutConsent } from '#domain/accounts/consents.ts';
import { type Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import type { InputOf } from '#domain/endpoint.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { type CareValues, fieldOf, readCareValues, writeCare } from './care-values.ts';
import { CollectionFields } from './collection-fields.tsx';
import { ContactFields } from './contact-fields.tsx';
import { NoteFields } from './note-fields.tsx';

type SavedCare = InputOf<typeof careApi.saveCare>;

type CareFormProps = {
  participant: Participant;
  /** The care details to change; null if none have been given yet. */
  care: Care | null;
  onClose: () => void;
  onSaved?: (() => void) | undefined;
};

/**
 * The emergency contacts, collection details and notes of a participant. Saving confirms that they are up to
 * date.
 */
export function CareForm({ participant, care, onClose, onSaved }: CareFormProps) {
  const { profile } = useAuth();
  const isDue = participant.careState === 'due';
  const save = useApiMutation(careApi.saveCare, {
    invalidates: [participantsApi.list, participantsApi.get, careApi.getCare, careApi.listConsents],
    onSuccess: () => {
      toastSuccess(isDue ? 'Care details confirmed' : 'Care details saved', participant.fullName);
      onClose();
      onSaved?.();
    },
  });
  const form = useForm<CareValues, unknown, SavedCare>({
    resolver: createResolver(participant),
    defaultValues: readCareValues(care, participant, { fullName: profile?.fullName ?? '' }),
  });
  const { showRefusal, notice } = useRefusal(form);
  return (
    <DialogForm
      onSubmit={form.handleSubmit((input) => save.mutate(input, { onError: (error) => showRefusal(error) }))}
      onCancel={onClose}
      submit={isDue ? 'Confirm care details' : 'Save care details'}
      isPending={save.isPending}
      pendingLabel="Saving..."
      className="space-y-8"
    >
      <ContactFields form={form} />
      {participant.kind === 'dependant' && <CollectionFields form={form} />}
      <NoteFields form={form} isAgreed={participant.consents.medical === 'yes'} />
      <div className="empty:hidden">{notice}</div>
    </DialogForm>
  );
}

/** Validates the values against the contract, and the choices that exist only in the form. */
function createResolver(participant: Participant): Resolver<CareValues, unknown, SavedCare> {
  return async (values, _context, options) => {
    const input = writeCare(values, participant);
    const parsed = saveCareInput.safeParse(input);
    const errors: Record<string, FieldError> = {};
    for (const { code, message, path } of parsed.error?.issues ?? []) {
      errors[fieldOf(path.join('.'))] ??= { type: code ?? 'custom', message };
    }
    if (values.givesNotes === null) {
      errors.givesNotes = { type: 'required', message: 'Choose whether to give notes.' };
    }
    const consent = input.medicalConsent
      ? null
      : refuseNotesWithoutConsent(consentOf(participant), undefined);
    if (values.givesNotes && consent) errors.isAgreed = { type: 'required', message: consent.message };
    if (parsed.success && Object.keys(errors).length === 0) return { values: parsed.data, errors: {} };
    return { values: {}, errors: toNestErrors(errors, options) };
  };
}

const consentOf = ({ consents: { medical } }: Participant) => (medical === 'yes' ? medical : null);
