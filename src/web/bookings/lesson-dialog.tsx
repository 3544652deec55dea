import { catalogueApi } from '#domain/catalogue/contract.ts';
import { type Sport, sports } from '#domain/catalogue/sports.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useApi } from '#web/app/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { SportDot } from '#web/ui/sport-dot.tsx';
import { isFull, SpotsLeft } from './slot-facts.tsx';

/** Why a lesson that is shown can't be booked; null where it can. */
export function bookingObstacle(slot: {
  status: string;
  startTime: string;
  bookedCount: number;
  maxCapacity: number;
}) {
  if (slot.status === 'cancelled') return 'Cancelled by the coach';
  if (slot.status !== 'scheduled' || Date.parse(slot.startTime) <= Date.now()) return 'Already started';
  return isFull(slot) ? 'Fully Booked' : null;
}

/** All about one lesson, over the list. */
export function LessonDialog({
  slotId,
  onClose,
  onBook,
}: {
  slotId: string;
  onClose: () => void;
  onBook: () => void;
}) {
  const { data, isPending, isError, error, refetch } = useApi(catalogueApi.getOpenSlot, { slotId });
  const slot = data?.slot;
  const obstacle = slot ? bookingObstacle(slot) : null;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={slot?.title ?? 'Lesson'}>
        <DialogBody>
          {isPending && (
            <Loading className="space-y-3">
              <Skeleton className="w-3/5" />
              <Skeleton className="w-2/5" />
              <Skeleton className="h-20 w-full" />
            </Loading>
          )}
          {isError && (
            <ErrorState title="Lesson not found" message={error.message} onRetry={() => void refetch()} />
          )}
          {slot && (
            <>
              <dl className="grid grid-cols-[5rem_1fr] gap-x-4 gap-y-2.5 text-sm [&_dt]:text-muted-foreground">
                <dt>When</dt>
                <dd className="font-medium tabular-nums">
                  {formatLessonTime(slot.startTime, slot.endTime, Date.now())}{' '}
                  <span className="font-normal text-muted-foreground">London time</span>
                </dd>
                <dt>Where</dt>
                <dd>
                  {slot.location
                    ? [slot.location.name, slot.location.address, slot.location.city, slot.location.postcode]
                        .filter(Boolean)
                        .join(', ')
                    : 'To be agreed with the coach'}
                </dd>
                <dt>Coach</dt>
                <dd>{slot.coachName}</dd>
                <dt>Sport</dt>
                <dd className="inline-flex items-center gap-2">
                  <SportDot sport={slot.sport} />
                  {sports[slot.sport as Sport]}
                </dd>
                <dt>Places</dt>
                <dd>
                  <SpotsLeft slot={slot} />
                </dd>
              </dl>
              {slot.description && (
                <p className="mt-5 max-w-reading text-sm whitespace-pre-line">{slot.description}</p>
              )}
            </>
          )}
        </DialogBody>
        {slot && (
          <DialogFooter>
            <Money cents={slot.priceCents} className="text-xl font-semibold md:mr-auto" />
            <Button onClick={onBook} disabled={obstacle !== null}>
              {obstacle ?? 'Book Lesson'}
            </Button>
          </DialogFooter>
        )}
      </DialogContent>
    </Dialog>
  );
}
