import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { type LessonType, lessonTypeNames, lessonTypes } from '#domain/catalogue/lesson-types.ts';
import { lessonMinutes, templateDefaults } from '#domain/catalogue/rules.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import type { LessonTemplate } from '#domain/catalogue/template.ts';
import { type TemplateInput, templateInput } from '#domain/catalogue/template.ts';
import type { AppError } from '#domain/errors.ts';
import { type Sport, sportSlugs, sports } from '#domain/sports.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { Dialog, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { AgeFields } from './age-fields.tsx';
import { CapacityFields } from './capacity-fields.tsx';
import { openSlotLists } from './open-slots.ts';
import { PriceField } from './price-field.tsx';

type TemplateFormDialogProps = {
  isOpen: boolean;
  /** The template to edit; null for a new one. */
  template: LessonTemplate | null;
  /** The initial sport of a new template. */
  usualSport: Sport;
  onClose: () => void;
};

export function TemplateFormDialog({ isOpen, ...form }: TemplateFormDialogProps) {
  const { template, onClose } = form;
  return (
    <Dialog open={isOpen} onOpenChange={onClose}>
      <DialogContent
        title={template ? 'Edit Lesson Template' : 'Create New Template'}
        description={
          template
            ? 'Published lessons keep their price, length, size and ages. If you change the title, description or sport, everyone who has booked an upcoming lesson from this template will be emailed and may cancel for a full refund.'
            : 'Use a template to publish lessons in your calendar.'
        }
      >
        <TemplateForm {...form} />
      </DialogContent>
    </Dialog>
  );
}

const emptyTemplate: TemplateInput = {
  title: '',
  description: '',
  sport: 'other',
  durationMinutes: templateDefaults.durationMinutes,
  basePriceCents: templateDefaults.basePriceCents,
  lessonType: 'individual',
  ...templateDefaults.individual,
  minAge: null,
  maxAge: null,
  ageDate: 'day',
};

const templateReads = [catalogueApi.listTemplates, slotsApi.previewSlots];
/** Published lessons show their template's title, description and sport, so a save refetches these calls. */
const slotReads = [slotsApi.listCoachSlots, slotsApi.getCoachSlot, openSlotLists, slotsApi.getOpenSlot];

function TemplateForm({ template, usualSport, onClose }: Omit<TemplateFormDialogProps, 'isOpen'>) {
  const create = useApiMutation(catalogueApi.createTemplate, { invalidates: templateReads });
  const update = useApiMutation(catalogueApi.updateTemplate, {
    invalidates: [...templateReads, ...slotReads],
  });
  const form = useForm<TemplateInput, unknown, z.output<typeof templateInput>>({
    resolver: zodResolver(templateInput),
    defaultValues: template ?? { ...emptyTemplate, sport: usualSport },
  });
  const {
    control,
    register,
    handleSubmit,
    setValue,
    clearErrors,
    watch,
    formState: { errors },
  } = form;
  const { showRefusal, notice } = useRefusal(form);
  const lessonType = watch('lessonType');
  const isRanged = [watch('minAge'), watch('maxAge')].some((age) => typeof age === 'number');

  function chooseType(next: LessonType) {
    setValue('lessonType', next, { shouldDirty: true });
    setValue('minCapacity', templateDefaults[next].minCapacity);
    setValue('maxCapacity', templateDefaults[next].maxCapacity);
    clearErrors(['minCapacity', 'maxCapacity']);
  }

  function save(input: z.output<typeof templateInput>) {
    const saved = {
      onSuccess: () => {
        toastSuccess(template ? 'Lesson template saved' : 'Lesson template created', input.title);
        onClose();
      },
      onError: (error: AppError) => showRefusal(error),
    };
    if (template) update.mutate({ ...input, templateId: template.templateId }, saved);
    else create.mutate(input, saved);
  }

  return (
    <DialogForm
      onSubmit={handleSubmit(save)}
      onCancel={onClose}
      submit={template ? 'Save changes' : 'Create template'}
      isPending={create.isPending || update.isPending}
      pendingLabel="Saving..."
      className="grid grid-cols-2 gap-x-4 gap-y-5"
    >
      <FormField label="Title" error={errors.title?.message} className="col-span-2">
        <Input autoComplete="off" {...register('title')} />
      </FormField>
      <FormField
        label="Description"
        isOptional
        error={errors.description?.message}
        hint="What people learn, who the lesson is for and what to bring."
        className="col-span-2"
      >
        <Textarea {...register('description')} />
      </FormField>
      <FormField label="Sport" error={errors.sport?.message} className="col-span-2 sm:col-span-1">
        <Select {...register('sport')}>
          {sportSlugs.map((slug) => (
            <option key={slug} value={slug}>
              {sports[slug]}
            </option>
          ))}
        </Select>
      </FormField>
      <FormField
        label="Lesson type"
        isGroup
        error={errors.lessonType?.message}
        className="col-span-2 sm:col-span-1"
      >
        <SegmentedControl<LessonType>
          value={lessonType}
          onValueChange={chooseType}
          options={lessonTypes.map((value) => ({ value, label: lessonTypeNames[value] }))}
          className="flex w-full"
        />
      </FormField>
      <FormField
        label="Duration"
        error={errors.durationMinutes?.message}
        hint={`${lessonMinutes.min} to ${lessonMinutes.max} minutes`}
      >
        <Input
          type="number"
          inputMode="numeric"
          min={lessonMinutes.min}
          max={lessonMinutes.max}
          step={5}
          trailing="minutes"
          {...register('durationMinutes', { valueAsNumber: true })}
        />
      </FormField>
      <PriceField
        control={control}
        name="basePriceCents"
        error={errors.basePriceCents?.message}
        hint="Per person, in pounds."
      />
      {lessonType === 'group' ? (
        <CapacityFields register={register} errors={errors} />
      ) : (
        <p className="col-span-2 text-sm text-muted-foreground">An individual lesson has one place.</p>
      )}
      <AgeFields register={register} errors={errors} isRanged={isRanged} />
      <div className="col-span-2 empty:hidden">{notice}</div>
    </DialogForm>
  );
}
