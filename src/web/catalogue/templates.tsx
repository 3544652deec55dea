import Cake from 'lucide-react/icons/cake';
import Clock from 'lucide-react/icons/clock';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Trash from 'lucide-react/icons/trash-2';
import Users from 'lucide-react/icons/users';
import { businessesApi } from '#domain/businesses/contract.ts';
import { describeAges } from '#domain/catalogue/age-text.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { LessonTemplate } from '#domain/catalogue/template.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';
import { AgeRequests } from './age-requests.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { describeCapacity, describeDuration } from './lesson-labels.ts';
import { LessonTypeBadge } from './lesson-type-badge.tsx';
import { TemplateFormDialog } from './template-form-dialog.tsx';

/** Lists the coach's lesson templates, newest first, with buttons to create, edit and delete them. */
export default function TemplatesScreen() {
  const query = useApi(catalogueApi.listTemplates, {});
  const profile = useApi(businessesApi.getCoachProfile, {});
  const edited = useDialogItem<LessonTemplate>();
  const itemToDelete = useDialogItem<LessonTemplate>();
  const createButton = (
    <Button onClick={() => edited.open(null)}>
      <Plus aria-hidden />
      Create New Template
    </Button>
  );
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-2 gap-y-4">
        <h1>Your Lesson Templates</h1>
        {query.data && query.data.templates.length > 0 && createButton}
      </div>
      <AgeRequests />
      <QueryView
        query={query}
        failure="Failed to load lesson templates"
        skeleton={<TemplatesSkeleton />}
        isEmpty={({ templates }) => templates.length === 0}
        empty={
          <EmptyState title="No lesson templates yet" action={createButton}>
            A template contains the title, length, price and size of a lesson, so you can publish lessons in
            seconds.
          </EmptyState>
        }
      >
        {({ templates }) => (
          <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
            {templates.map((template) => (
              <TemplateCard
                key={template.templateId}
                template={template}
                onEdit={() => edited.open(template)}
                onDelete={() => itemToDelete.open(template)}
              />
            ))}
          </ul>
        )}
      </QueryView>
      <TemplateFormDialog
        isOpen={edited.isOpen}
        template={edited.item}
        usualSport={profile.data?.coachProfile.sports[0] ?? 'other'}
        onClose={edited.close}
      />
      <DeleteTemplateDialog
        isOpen={itemToDelete.isOpen}
        template={itemToDelete.item}
        onClose={itemToDelete.close}
      />
    </>
  );
}

type TemplateCardProps = { template: LessonTemplate; onEdit: () => void; onDelete: () => void };

function TemplateCard({ template, onEdit, onDelete }: TemplateCardProps) {
  const ages = describeAges(template);
  return (
    <li>
      <Card className="flex h-full flex-col">
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 text-lg">{template.title}</h2>
          <LessonTypeBadge lessonType={template.lessonType} />
        </div>
        <p className="mt-1.5 text-xs text-muted-foreground">
          <SportName sport={template.sport} />
        </p>
        {template.description && (
          <p className="mt-3 line-clamp-3 text-sm whitespace-pre-line text-muted-foreground">
            {template.description}
          </p>
        )}
        <div className="mt-auto pt-4">
          <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <div className="flex items-center gap-1.5">
              <dt>
                <Clock aria-hidden className="size-4 text-muted-foreground" />
                <span className="sr-only">Duration</span>
              </dt>
              <dd>{describeDuration(template.durationMinutes)}</dd>
            </div>
            <div className="flex items-center gap-1.5">
              <dt>
                <Users aria-hidden className="size-4 text-muted-foreground" />
                <span className="sr-only">Capacity</span>
              </dt>
              <dd>{describeCapacity(template)}</dd>
            </div>
            {ages && (
              <div className="flex items-center gap-1.5">
                <dt>
                  <Cake aria-hidden className="size-4 text-muted-foreground" />
                  <span className="sr-only">Ages</span>
                </dt>
                <dd>Ages {ages}</dd>
              </div>
            )}
          </dl>
          <div className="mt-3 flex items-center justify-between gap-2 border-t pt-3">
            <Money cents={template.basePriceCents} className="text-lg font-semibold" />
            <div className="-mr-2 flex">
              <Button variant="ghost" size="icon" aria-label={`Edit ${template.title}`} onClick={onEdit}>
                <Pencil aria-hidden />
              </Button>
              <Button variant="ghost" size="icon" aria-label={`Delete ${template.title}`} onClick={onDelete}>
                <Trash aria-hidden />
              </Button>
            </div>
          </div>
        </div>
      </Card>
    </li>
  );
}

type DeleteTemplateDialogProps = { isOpen: boolean; template: LessonTemplate | null; onClose: () => void };

function DeleteTemplateDialog({ isOpen, template, onClose }: DeleteTemplateDialogProps) {
  return (
    <DeleteDialog
      isOpen={isOpen}
      onClose={onClose}
      endpoint={catalogueApi.deleteTemplate}
      itemToDelete={template && { input: { templateId: template.templateId }, name: template.title }}
      list={catalogueApi.listTemplates}
      done="Lesson template deleted"
    >
      <p>Are you sure you want to delete this lesson template? This action cannot be undone.</p>
      <p>Lessons already published from this template stay in your calendar, with their bookings.</p>
    </DeleteDialog>
  );
}

function TemplatesSkeleton() {
  return (
    <Loading label="Loading lesson templates..." className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
      {['a', 'b', 'c'].map((key) => (
        <Card key={key} className="space-y-3">
          <div className="flex justify-between">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="h-6 w-20 rounded-full" />
          </div>
          <Skeleton className="h-3 w-16" />
          <Skeleton className="w-full" />
          <Skeleton className="w-2/3" />
          <Skeleton className="h-10 w-full" />
        </Card>
      ))}
    </Loading>
  );
}
