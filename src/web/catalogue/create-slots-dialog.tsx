import { Link } from '@tanstack/react-router';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import type { WallTime } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { CreateSlotsForm } from './create-slots-form.tsx';

type CreateSlotsDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** The initial London date and time of the plan's first lesson. */
  initialTime: WallTime;
  /** Called after `onClose`, with the published lessons in chronological order. */
  onCreated: (slots: CoachSlot[]) => void;
};

/** Publishes lessons on given dates from a template. */
export function CreateSlotsDialog({ isOpen, onClose, initialTime, onCreated }: CreateSlotsDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={onClose}>
      <DialogContent title="Create New Lesson Slots" size="lg">
        <CreateSlots
          initialTime={initialTime}
          onCreated={(slots) => {
            onClose();
            onCreated(slots);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

function CreateSlots(props: Pick<CreateSlotsDialogProps, 'initialTime' | 'onCreated'>) {
  const query = useApi(catalogueApi.listTemplates, {});
  return (
    <QueryView
      query={query}
      isPart
      failure="Failed to load lesson templates"
      frame={(failure) => <DialogBody>{failure}</DialogBody>}
      skeleton={
        <DialogBody>
          <Loading label="Loading lesson templates..." className="space-y-5">
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-10 w-2/3" />
            <Skeleton className="h-10 w-full" />
            <Skeleton className="h-40 w-full" />
          </Loading>
        </DialogBody>
      }
      isEmpty={({ templates }) => templates.length === 0}
      empty={
        <DialogBody>
          <EmptyState
            title="No lesson templates yet"
            action={
              <Button asChild>
                <Link to="/coach/templates">Create a template</Link>
              </Button>
            }
          >
            You publish lessons from a template with a title, length, price and group size. Create a template
            first.
          </EmptyState>
        </DialogBody>
      }
    >
      {({ templates }) => <CreateSlotsForm templates={templates} {...props} />}
    </QueryView>
  );
}
