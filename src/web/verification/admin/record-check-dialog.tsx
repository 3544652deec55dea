import { useState } from 'react';
import { wallTimeOf } from '#domain/time.ts';
import { checksApi, recordCheckInput } from '#domain/verification/checks-contract.ts';
import {
  type CheckLevel,
  type CheckScheme,
  checkLevels,
  checkSchemes,
  defaultRecheckOn,
  levelNames,
  methodNames,
  recordCheckMethods,
  refuseRecordCheck,
  schemeNames,
  type Workforce,
  workforceNames,
  workforces,
} from '#domain/verification/documents.ts';
import type { TrustFile } from '#domain/verification/documents-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { formatDate } from '../check-text.ts';
import { readByAdmins } from './read-by-admins.ts';

type Method = (typeof recordCheckMethods)[number];

type RecordCheckDialogProps = { file: TrustFile; isOpen: boolean; onClose: () => void };

/** Records a criminal record check that an admin saw: fields only, no file and no free text. */
export function RecordCheckDialog({ file, isOpen, onClose }: RecordCheckDialogProps) {
  const { coachId, coachName, consent } = file;
  const today = wallTimeOf(Date.now()).date;
  const [scheme, setScheme] = useState<CheckScheme>(schemesOf(file)[0] ?? 'dbs');
  const [level, setLevel] = useState<CheckLevel>(scheme === 'pvg' ? 'pvg' : 'enhanced_barred');
  const [workforce, setWorkforce] = useState<Workforce>('child');
  const [method, setMethod] = useState<Method | null>(null);
  const [isSatisfactory, setIsSatisfactory] = useState<boolean | null>(null);
  const [typed, setTyped] = useState({ number: '', issuedOn: '', recheckOn: '' });
  const [errors, setErrors] = useState<Record<string, string>>({});
  const record = useApiMutation(checksApi.recordCheck, { invalidates: readByAdmins });

  const levels = checkLevels.filter((known) => (known === 'pvg') === (scheme === 'pvg'));
  const standard =
    typed.issuedOn && method
      ? defaultRecheckOn({ scheme, method, issuedOn: typed.issuedOn, seenOn: today })
      : null;
  const recheckOn = typed.recheckOn || standard;

  function send() {
    const parsed = recordCheckInput.safeParse({
      ...{ coachId, scheme, level, workforce, number: typed.number, issuedOn: typed.issuedOn },
      ...{ method, isSatisfactory, ...(typed.recheckOn && { recheckOn: typed.recheckOn }) },
    });
    const found: Record<string, string> = {};
    for (const { path, message } of parsed.error?.issues ?? []) found[String(path[0])] ??= message;
    if (!typed.issuedOn) found.issuedOn = 'Enter the issue date.';
    if (!typed.number.trim()) found.number = 'Enter the number.';
    if (parsed.data && recheckOn) {
      Object.assign(found, refuseRecordCheck({ ...parsed.data, recheckOn }, today)?.fields);
    }
    setErrors(found);
    if (!parsed.data || Object.keys(found).length > 0) return;
    record.mutate(parsed.data, {
      onSuccess: () => {
        toastSuccess('Check recorded');
        onClose();
      },
      onError: ({ fields }) => setErrors(fields ?? {}),
    });
  }

  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setErrors({ ...errors, [name]: '' });
      setTyped({ ...typed, [name]: currentTarget.value });
    },
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Record a criminal record check"
      description={`Enter these details from ${coachName}'s certificate. Don't keep a copy, and don't write down anything else that it says.`}
      submit="Record check"
      pendingLabel="Recording..."
      isPending={record.isPending}
      refusal={record.error}
      onSubmit={send}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField label="Scheme" error={errors.scheme}>
          <Select
            value={scheme}
            onChange={({ target }) => {
              const next = target.value as CheckScheme;
              setScheme(next);
              setLevel(next === 'pvg' ? 'pvg' : 'enhanced_barred');
              if (next !== 'dbs' && method === 'update_service') setMethod(null);
            }}
          >
            {checkSchemes.map((known) => (
              <option key={known} value={known}>
                {schemeNames[known]} ({nationsOf[known]})
              </option>
            ))}
          </Select>
        </FormField>
        <FormField label="Level" error={errors.level}>
          <Select value={level} onChange={({ target }) => setLevel(target.value as CheckLevel)}>
            {levels.map((known) => (
              <option key={known} value={known}>
                {levelNames[known]}
              </option>
            ))}
          </Select>
        </FormField>
        <FormField label="Workforce" error={errors.workforce}>
          <Select value={workforce} onChange={({ target }) => setWorkforce(target.value as Workforce)}>
            {workforces.map((known) => (
              <option key={known} value={known}>
                {workforceNames[known]}
              </option>
            ))}
          </Select>
        </FormField>
        <FormField label="Number" error={errors.number}>
          <Input autoComplete="off" maxLength={30} className="tabular-nums" {...field('number')} />
        </FormField>
        <FormField label="Issue date" error={errors.issuedOn}>
          <Input type="date" max={today} {...field('issuedOn')} />
        </FormField>
        <FormField
          label="Check again by"
          isOptional
          error={errors.recheckOn}
          hint={`Certificates don't expire. ${standard ? `We ask again after ${formatDate(standard)}.` : 'We ask again after three years (five for a PVG, one with the Update Service).'}`}
        >
          <Input type="date" {...field('recheckOn')} />
        </FormField>
      </div>
      <FormField label="How did you see it?" isGroup error={errors.method}>
        <RadioGroup<Method>
          value={method}
          onValueChange={(chosen) => {
            setErrors({ ...errors, method: '' });
            setMethod(chosen);
          }}
          options={recordCheckMethods.map((value) => ({
            value,
            label: methodNames[value],
            ...(value === 'update_service' && {
              isDisabled: scheme !== 'dbs' || consent === null,
              hint: consent
                ? `${coachName} agreed on ${formatDate(consent.givenAt.slice(0, 10))}.`
                : `${coachName} hasn't agreed to this.`,
            }),
          }))}
        />
      </FormField>
      <FormField label="Is the certificate satisfactory?" isGroup error={errors.isSatisfactory}>
        <RadioGroup<'yes' | 'no'>
          value={isSatisfactory === null ? null : isSatisfactory ? 'yes' : 'no'}
          onValueChange={(answer) => {
            setErrors({ ...errors, isSatisfactory: '' });
            setIsSatisfactory(answer === 'yes');
          }}
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No', hint: 'We record it as declined, without a reason.' },
          ]}
        />
      </FormField>
    </FormDialog>
  );
}

const nationsOf: Record<CheckScheme, string> = {
  dbs: 'England and Wales',
  pvg: 'Scotland',
  access_ni: 'Northern Ireland',
};

const schemesOf = (file: TrustFile) =>
  file.kinds.find(({ kind }) => kind === 'criminal_record_check')?.schemes ?? [];
