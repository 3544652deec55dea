import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import { uploadLimits } from '#domain/storage/buckets.ts';
import { wallTimeOf } from '#domain/time.ts';
import { refuseDates } from '#domain/verification/documents.ts';
import { documentsApi, submitInput, type submittedKinds } from '#domain/verification/documents-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { decodePicture, shrinkPicture } from '#web/storage/picture-canvas.ts';
import { removeFile, uploadFile } from '#web/storage/storage-client.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { titleOfKind } from './check-text.ts';
import { ChooseFile, maxMegabytes } from './choose-file.tsx';

type SubmittedKind = (typeof submittedKinds)[number];

type SubmitDocumentDialogProps = {
  kind: SubmittedKind;
  coachId: string;
  isOpen: boolean;
  onClose: () => void;
};

type Values = { number: string; issuer: string; issuedOn: string; validUntil: string };
type Fields = Partial<Record<keyof Values | 'filePath', string>>;

/**
 * The longest side of an uploaded picture, in pixels: large enough to read a certificate, and quick to upload
 * on a weak signal.
 */
const uploadPixels = 2_400;

/**
 * Submits a document: its number, issuer, dates and file. If the server refuses, the dialog keeps the input
 * and the uploaded file.
 */
export function SubmitDocumentDialog({ kind, coachId, isOpen, onClose }: SubmitDocumentDialogProps) {
  const [values, setValues] = useState<Values>({ number: '', issuer: '', issuedOn: '', validUntil: '' });
  const [file, setFile] = useState<File | null>(null);
  const [errors, setErrors] = useState<Fields>({});
  const [stage, setStage] = useState<'upload' | 'submit'>('upload');
  // Every attempt with a file uses the same name, so a retry after a lost response doesn't store the file
  // twice.
  const [filePath, setFilePath] = useState('');
  const [isStored, setIsStored] = useState(false);
  const submit = useApiMutation(documentsApi.submit, { invalidates: [documentsApi.getMine] });
  const attempt = useMutation<void, AppError, File>({
    mutationFn: async (chosen) => {
      if (!isStored) {
        setStage('upload');
        await uploadFile('documents', filePath, await prepare(chosen));
        setIsStored(true);
      }
      setStage('submit');
      await submit.mutateAsync({ kind, ...values, filePath });
    },
    onSuccess: () => {
      toastSuccess('Document submitted', "We'll let you know once we've checked it.");
      onClose();
    },
    onError: ({ fields }) => setErrors(fields ?? {}),
  });

  function choose(chosen: File) {
    const isKnown = chosen.type === 'application/pdf' || chosen.type.startsWith('image/');
    // Pictures are made smaller before the upload; a PDF can't be.
    const isTooLarge = chosen.type === 'application/pdf' && chosen.size > uploadLimits.maxBytes;
    attempt.reset();
    if (!isKnown) return setErrors({ ...errors, filePath: 'Choose a PDF or a picture.' });
    if (isTooLarge) {
      const message = `This file is larger than ${maxMegabytes} MB. Choose a smaller one.`;
      return setErrors({ ...errors, filePath: message });
    }
    if (isStored) void removeFile('documents', filePath).catch(() => {});
    setErrors({ ...errors, filePath: undefined });
    setFile(chosen);
    setIsStored(false);
    setFilePath(`${coachId}/${crypto.randomUUID()}`);
  }

  function send() {
    const found = { ...readErrors(kind, values), ...(!file && { filePath: 'Choose the file.' }) };
    setErrors(found);
    if (file && Object.keys(found).length === 0) attempt.mutate(file);
  }

  function close() {
    // A file that is never submitted would count towards the coach's storage.
    if (isStored && !attempt.isSuccess) void removeFile('documents', filePath).catch(() => {});
    onClose();
  }

  const field = (name: keyof Values) => ({
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setErrors({ ...errors, [name]: undefined });
      setValues({ ...values, [name]: currentTarget.value });
    },
  });
  const refusal = attempt.error && Object.keys(attempt.error.fields ?? {}).length > 0 ? null : attempt.error;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={`Submit ${titleOfKind(kind).toLowerCase()}`}
      description="Only admins can open the file. We store it encrypted, and delete it 30 days after it's replaced or declined."
      submit="Submit"
      pendingLabel={stage === 'upload' ? 'Uploading...' : 'Submitting...'}
      isPending={attempt.isPending}
      refusal={refusal}
      onSubmit={send}
    >
      <FormField label="Issued by" error={errors.issuer} hint={issuerHints[kind]}>
        <Input autoComplete="off" maxLength={120} {...field('issuer')} />
      </FormField>
      <FormField
        label="Number"
        error={errors.number}
        hint="The number on the document. Visitors never see it."
      >
        <Input autoComplete="off" maxLength={40} {...field('number')} />
      </FormField>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField label="First day" error={errors.issuedOn}>
          <Input type="date" {...field('issuedOn')} />
        </FormField>
        <FormField label="Last day" error={errors.validUntil}>
          <Input type="date" {...field('validUntil')} />
        </FormField>
      </div>
      <ChooseFile file={file} error={errors.filePath} onChoose={choose} />
    </FormDialog>
  );
}

const issuerHints: Record<SubmittedKind, string> = {
  safeguarding: 'Who ran the course.',
  insurance: 'The insurer.',
  first_aid: 'Who ran the course.',
  licence: 'The governing body of your sport.',
};

/** Messages by field. They follow the server's rules. */
function readErrors(kind: SubmittedKind, values: Values): Fields {
  const { data, error } = submitInput.omit({ filePath: true }).safeParse({ kind, ...values });
  if (data) return refuseDates(data, wallTimeOf(Date.now()).date)?.fields ?? {};
  const found: Fields = {};
  for (const { path, message } of error.issues) found[path[0] as keyof Values] ??= message;
  if (!values.issuedOn) found.issuedOn = 'Enter the first day.';
  if (!values.validUntil) found.validUntil = 'Enter the last day.';
  return found;
}

/** Returns a PDF unchanged, and a picture upright and small enough to upload quickly. */
async function prepare(file: File): Promise<Blob> {
  if (file.type === 'application/pdf') return file;
  const picture = await decodePicture(file);
  try {
    return await shrinkPicture(picture, uploadPixels);
  } finally {
    picture.close();
  }
}
