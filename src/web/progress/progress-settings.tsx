import ArrowUp from 'lucide-react/icons/arrow-up';
import Plus from 'lucide-react/icons/plus';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import type { OutputOf } from '#domain/endpoint.ts';
import { maxSkillsPerSport, type PayoutNeeds } from '#domain/progress/rules.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { type Sport, sportSlugs, sports } from '#domain/sports.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';

type Lists = OutputOf<typeof skillsApi.getLists>;

/**
 * The lists of skills that the coach's business, or a coach without a business, assesses, and what the
 * business requires before a payout.
 */
export default function ProgressSettingsScreen() {
  const query = useApi(skillsApi.getLists, {});
  return (
    <div className="w-full max-w-2xl">
      <h1 className="mb-8">Skills and payouts</h1>
      <QueryView
        query={query}
        failure="Failed to load skills and payouts"
        skeleton={<SkeletonRows label="Loading skills and payouts..." />}
      >
        {(lists) => (
          <>
            <SkillLists lists={lists} />
            {lists.payoutNeeds && <PayoutNeedsSection needs={lists.payoutNeeds} canEdit={lists.canEdit} />}
          </>
        )}
      </QueryView>
    </div>
  );
}

function SkillLists({ lists: { skills, canEdit } }: { lists: Lists }) {
  const [sport, setSport] = useState<Sport>(skills[0]?.sport ?? 'tennis');
  const known = skills.filter((skill) => skill.sport === sport);
  return (
    <Section
      title="Skills"
      description={
        canEdit
          ? 'What you assess after a lesson, from 1 to 5. If you remove a skill, its earlier levels stay visible.'
          : 'What you assess after a lesson, from 1 to 5. Only an owner of your business can change the lists.'
      }
    >
      <FormField label="Sport" className="mb-5 max-w-xs">
        <Select value={sport} onChange={({ currentTarget }) => setSport(currentTarget.value as Sport)}>
          {sportSlugs.map((slug) => (
            <option key={slug} value={slug}>
              {sports[slug]}
            </option>
          ))}
        </Select>
      </FormField>
      {canEdit ? (
        <SkillListForm
          key={`${sport} ${known.map(({ skillId }) => skillId).join()}`}
          sport={sport}
          known={known}
        />
      ) : known.length === 0 ? (
        <p className="text-sm text-muted-foreground">No skills for this sport yet.</p>
      ) : (
        <ol className="divide-y border-y">
          {known.map(({ skillId, name }) => (
            <li key={skillId} className="py-3 wrap-anywhere">
              {name}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

type Row = { key: string; skillId?: string; name: string };

function SkillListForm({ sport, known }: { sport: Sport; known: Lists['skills'] }) {
  const [rows, setRows] = useState<Row[]>(
    known.map(({ skillId, name }) => ({ key: skillId, skillId, name })),
  );
  const save = useApiMutation(skillsApi.saveList, { invalidates: [skillsApi.getLists] });
  const change = (index: number, name: string) =>
    setRows(rows.map((row, at) => (at === index ? { ...row, name } : row)));
  const moveUp = (index: number) => setRows(rows.toSpliced(index - 1, 2, rows[index]!, rows[index - 1]!));
  const submit = () => {
    if (save.isPending) return;
    const skills = rows.map(({ skillId, name }) => ({ name, ...(skillId && { skillId }) }));
    save.mutate(
      { sport, skills },
      {
        onSuccess: () => toastSuccess('Skills saved'),
        onError: (error) => error.fields ?? toastError(error.message),
      },
    );
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ol className="space-y-2">
        {rows.map(({ key, name }, index) => (
          <li key={key} className="flex items-start gap-2">
            <FormField
              label={`Skill ${index + 1}`}
              isLabelHidden
              error={save.error?.fields?.[`skills.${index}.name`]}
              className="grow"
            >
              <Input
                maxLength={60}
                value={name}
                onChange={({ currentTarget }) => change(index, currentTarget.value)}
              />
            </FormField>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Move ${name || `skill ${index + 1}`} up`}
              disabled={index === 0}
              onClick={() => moveUp(index)}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove ${name || `skill ${index + 1}`}`}
              onClick={() => setRows(rows.toSpliced(index, 1))}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      {rows.length === 0 && <p className="text-sm text-muted-foreground">No skills for this sport yet.</p>}
      <p className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" isLoading={save.isPending} loadingText="Saving...">
          Save skills
        </Button>
        <Button
          variant="secondary"
          disabled={rows.length >= maxSkillsPerSport}
          onClick={() => setRows([...rows, { key: crypto.randomUUID(), name: '' }])}
        >
          <Plus aria-hidden />
          Add a skill
        </Button>
      </p>
    </form>
  );
}

const needs: Record<PayoutNeeds, { label: string; hint: string }> = {
  none: { label: 'Nothing', hint: 'Lessons are paid out once they are over.' },
  attendance: { label: 'Attendance', hint: 'The coach has marked who was there.' },
  note: {
    label: 'Attendance and a note',
    hint: 'The coach has also written a note about everyone who was there.',
  },
};

function PayoutNeedsSection({ needs: chosen, canEdit }: { needs: PayoutNeeds; canEdit: boolean }) {
  const save = useApiMutation(skillsApi.savePayoutNeeds, { invalidates: [skillsApi.getLists] });
  const [pressed, setPressed] = useState<PayoutNeeds | null>(null);
  function choose(payoutNeeds: PayoutNeeds): void {
    setPressed(payoutNeeds);
    save.mutate(
      { payoutNeeds },
      {
        onSuccess: () => toastSuccess('Saved'),
        onError: (error) => toastError(error.message),
        onSettled: () => setPressed(null),
      },
    );
  }
  return (
    <Section
      title="Before a payout"
      description="What your business requires before its lessons are paid out. Seven days after a lesson, it can be paid out anyway."
    >
      {canEdit ? (
        <RadioGroup
          label="Required before a payout"
          value={pressed ?? chosen}
          onValueChange={(payoutNeeds) => choose(payoutNeeds as PayoutNeeds)}
          options={(Object.keys(needs) as PayoutNeeds[]).map((value) => ({ value, ...needs[value] }))}
        />
      ) : (
        <p className="text-sm">
          {needs[chosen].label}. <span className="text-muted-foreground">{needs[chosen].hint}</span>
        </p>
      )}
    </Section>
  );
}
