import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { lessonTypeNames } from '#domain/catalogue/lesson-types.ts';
import { defaultWeekdays, planInput, refusePlan } from '#domain/catalogue/slot-plan.ts';
import { type CoachSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { LessonTemplate } from '#domain/catalogue/template.ts';
import { formatPounds } from '#domain/money.ts';
import type { PlainDate, WallTime } from '#domain/time.ts';
import { invalidate, useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { DialogBody, DialogClose, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { describeCapacity, describeDuration } from './lesson-labels.ts';
import { openSlotLists } from './open-slots.ts';
import { usePlannedSlots } from './planned-slots.ts';
import { type SlotDates, SlotDatesFields } from './slot-dates-fields.tsx';
import { SlotLocationField } from './slot-location-field.tsx';
import { SlotPreview } from './slot-preview.tsx';

type CreateSlotsFormProps = {
  templates: readonly LessonTemplate[];
  /** The initial London date and time of the plan's first lesson. */
  initialTime: WallTime;
  onCreated: (slots: CoachSlot[]) => void;
};

/** Fields for the template, dates and location of new slots, beside a preview of the result. */
export function CreateSlotsForm({ templates, initialTime, onCreated }: CreateSlotsFormProps) {
  const formId = useId();
  const client = useQueryClient();
  const [templateId, setTemplateId] = useState(() =>
    templates.length === 1 ? templates[0]!.templateId : '',
  );
  const locations = useApi(catalogueApi.listLocations, {}).data?.locations;
  // A coach's only location is the default.
  const [chosenId, setLocationId] = useState<string | null>();
  const onlyId = locations?.length === 1 ? locations[0]!.locationId : null;
  const locationId = chosenId === undefined ? onlyId : chosenId;
  const [leftOut, setLeftOut] = useState<ReadonlySet<PlainDate>>(new Set());
  const [typed, setTyped] = useState<Omit<SlotDates, 'weekdays'> & { weekdays: readonly number[] | null }>({
    mode: 'dates',
    startDate: initialTime.date,
    hour: initialTime.hour,
    minute: initialTime.minute,
    additionalDates: [],
    weekdays: null,
    weeks: '4',
  });
  const dates: SlotDates = { ...typed, weekdays: typed.weekdays ?? defaultWeekdays(typed.startDate) };
  const firstField = useRef<HTMLSelectElement>(null);
  // If the templates were still loading when the dialog opened, the dialog focused its close button. Otherwise the
  // dialog focuses this field itself, after recording the element to which it will return the focus.
  useEffect(() => {
    if (document.activeElement?.closest('[role="dialog"]')) firstField.current?.focus();
  }, []);
  const template = templates.find((candidate) => candidate.templateId === templateId);

  const parsed = planInput.omit({ templateId: true }).safeParse({
    ...dates,
    locationId,
    weeks: dates.weeks.trim() === '' || dates.mode === 'dates' ? null : Number(dates.weeks),
  });
  const refusal = parsed.success ? refusePlan(parsed.data, Date.now()) : null;
  const plan = parsed.success && !refusal ? { ...parsed.data, templateId } : null;
  const { slots, isChecking, isUnchecked } = usePlannedSlots(plan, template?.durationMinutes);
  const chosen = slots.filter((slot) => slot.obstacle === null && !leftOut.has(slot.date));

  const create = useApiMutation(slotsApi.createSlots, {
    invalidates: [slotsApi.listCoachSlots, slotsApi.previewSlots, openSlotLists],
  });
  const errors: Record<string, string | undefined> = { ...create.error?.fields, ...refusal?.fields };
  for (const issue of parsed.error?.issues ?? []) errors[String(issue.path[0])] ??= issue.message;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!plan || !template || chosen.length === 0 || create.isPending) return;
    const excludedDates = slots.filter((slot) => !chosen.includes(slot)).map((slot) => slot.date);
    create.mutate(
      { ...plan, excludedDates },
      {
        onSuccess: ({ slots: created }) => {
          toastSuccess(
            `${created.length} lesson ${created.length === 1 ? 'slot' : 'slots'} created`,
            template.title,
          );
          onCreated(created);
        },
        onError: (error) => {
          toastError(error.message);
          // The reason for the refusal may have arisen after the preview was fetched.
          void invalidate(client, [slotsApi.previewSlots, catalogueApi.listTemplates]);
        },
      },
    );
  }

  function leaveOut(date: PlainDate, isLeftOut: boolean) {
    const next = new Set(leftOut);
    if (isLeftOut) next.add(date);
    else next.delete(date);
    setLeftOut(next);
  }

  return (
    <>
      <DialogBody className="grid gap-6 md:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="grid content-start gap-5">
          <form id={formId} noValidate onSubmit={submit} className="grid gap-5">
            <FormField
              label="Lesson template"
              error={errors.templateId}
              hint={
                template &&
                `${describeDuration(template.durationMinutes)} · ${lessonTypeNames[template.lessonType]} · ${describeCapacity(template)}`
              }
            >
              <Select
                ref={firstField}
                value={templateId}
                onChange={(event) => setTemplateId(event.target.value)}
              >
                <option value="" disabled>
                  Choose a template
                </option>
                {templates
                  .toSorted((a, b) => a.title.localeCompare(b.title, 'en-GB'))
                  .map((candidate) => (
                    <option key={candidate.templateId} value={candidate.templateId}>
                      {candidate.title} ({formatPounds(candidate.basePriceCents)})
                    </option>
                  ))}
              </Select>
            </FormField>
            <SlotDatesFields
              value={dates}
              onValueChange={(change) => setTyped({ ...typed, ...change })}
              errors={errors}
            />
          </form>
          <SlotLocationField value={locationId} onValueChange={setLocationId} error={errors.locationId} />
        </div>
        <div className="md:sticky md:top-16 md:max-h-[30rem] md:self-start md:overflow-y-auto">
          <SlotPreview
            plan={plan}
            slots={slots}
            count={chosen.length}
            leftOut={leftOut}
            onLeftOutChange={leaveOut}
            hasEnds={template !== undefined}
            isChecking={isChecking}
            isUnchecked={isUnchecked}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button
          type="submit"
          form={formId}
          disabled={!template || chosen.length === 0}
          isLoading={create.isPending}
          loadingText="Creating..."
        >
          Create {chosen.length} Lesson Slot(s)
        </Button>
      </DialogFooter>
    </>
  );
}
