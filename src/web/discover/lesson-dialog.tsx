import { Link } from '@tanstack/react-router';
import { nameParticipant } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { describeAges } from '#domain/catalogue/age-text.ts';
import { ageDateNames } from '#domain/catalogue/ages.ts';
import { type OpenSlot, slotsApi } from '#domain/catalogue/slots-contract.ts';
import { formatLocation } from '#domain/location-text.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { formatLessonTime } from '#domain/time.ts';
import { useParticipants } from '#web/accounts/family/use-participants.ts';
import { useApi } from '#web/app/api/api.ts';
import { AddToCalendar } from '#web/bookings/add-to-calendar.tsx';
import { OpenSlotView } from '#web/bookings/booking/open-slot-view.tsx';
import { useHeldSlots } from '#web/bookings/booking/use-held-slots.ts';
import { CancellationTerms } from '#web/bookings/cancellation-terms.tsx';
import { CoachLink } from '#web/bookings/coach-link.tsx';
import { bookingObstacle, MapLink } from '#web/bookings/slot-facts.tsx';
import { useLiveSlot } from '#web/catalogue/open-slots.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { SeatsLeft } from '#web/ui/lesson/seats-left.tsx';
import { Money } from '#web/ui/money.tsx';
import { Dialog, DialogBody, DialogContent, DialogFooter } from '#web/ui/overlay/dialog.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { RatingLine } from '#web/ui/rating/rating-line.tsx';
import { SportName } from '#web/ui/sport-dot.tsx';
import { CoachBadges } from '#web/verification/coach-badges.tsx';

type LessonDialogProps = { slotId: string; onClose: () => void; onBook: () => void };

/** A dialog over the list with all details of one lesson. */
export function LessonDialog({ slotId, onClose, onBook }: LessonDialogProps) {
  const found = useApi(slotsApi.getOpenSlot, { slotId });
  useLiveSlot(slotId);
  const held = useHeldSlots().bySlot.get(slotId) ?? [];
  const { participants } = useParticipants();
  const booked = held.filter(({ status }) => status === 'booked');
  const bookingId = booked[0]?.bookingId;
  const hasOthers = booked.length < participants.length;
  const whom = describeWhom(
    participants.filter(({ participantId }) => booked.some((seat) => seat.participantId === participantId)),
  );
  const isMissing = ['not_found', 'bad_request', 'unprocessable'].includes(found.error?.code ?? '');
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={found.data?.slot.title ?? (isMissing ? 'Lesson not found' : 'Lesson')}>
        <OpenSlotView
          query={found}
          skeleton={
            <DialogBody>
              <Loading className="space-y-3">
                <Skeleton className="w-3/5" />
                <Skeleton className="w-2/5" />
                <Skeleton className="h-20 w-full" />
              </Loading>
            </DialogBody>
          }
        >
          {(slot) => {
            const obstacle = bookingObstacle(slot);
            return (
              <>
                <DialogBody>
                  <dl className="grid grid-cols-[4.5rem_1fr] gap-x-4 gap-y-2.5 text-sm [&_dt]:text-muted-foreground">
                    <dt>When</dt>
                    <dd className="font-medium tabular-nums">
                      {formatLessonTime(slot.startTime, slot.endTime, Date.now())}{' '}
                      <span className="font-normal text-muted-foreground">London time</span>
                    </dd>
                    <dt>Where</dt>
                    <dd>
                      {formatLocation(slot.location)} <MapLink location={slot.location} />
                    </dd>
                    <dt>Coach</dt>
                    <dd className="flex items-center gap-2">
                      <Avatar name={slot.coachName} src={slot.coachAvatarUrl} size="sm" />
                      <CoachLink coach={slot} />
                      <CoachRatingLine coachId={slot.coachId} />
                    </dd>
                    <dt>Sport</dt>
                    <dd>
                      <SportName sport={slot.sport} />
                    </dd>
                    <Ages slot={slot} />
                    <dt>Places</dt>
                    <dd>
                      <SeatsLeft lesson={slot} />
                    </dd>
                  </dl>
                  {slot.description && (
                    <p className="mt-5 max-w-reading text-sm whitespace-pre-line">{slot.description}</p>
                  )}
                  <CoachBadges coachId={slot.coachId} className="mt-4" />
                  {bookingId && <AddToCalendar source={{ bookingId }} lesson={slot} className="mt-5" />}
                  {!obstacle && !bookingId && (
                    <CancellationTerms
                      slot={slot}
                      priceCents={slot.priceCents}
                      className="mt-5 border-t pt-4"
                    />
                  )}
                </DialogBody>
                <DialogFooter className="flex-row items-center justify-between md:justify-between">
                  {bookingId ? (
                    <>
                      <span className="text-sm font-medium">You've booked this lesson{whom}.</span>
                      <span className="flex flex-wrap justify-end gap-2">
                        <Button asChild variant="secondary" className="max-md:grow-0">
                          <Link to="/customer/bookings/$bookingId" params={{ bookingId }}>
                            View booking
                          </Link>
                        </Button>
                        {hasOthers && !obstacle && (
                          <Button onClick={onBook} className="max-md:grow-0">
                            Book for someone else
                          </Button>
                        )}
                      </span>
                    </>
                  ) : (
                    <>
                      <Money cents={slot.priceCents} className="text-xl font-semibold" />
                      <Button
                        onClick={onBook}
                        disabled={obstacle !== null}
                        className="max-md:grow-0 max-md:px-8"
                      >
                        {obstacle ?? 'Book Lesson'}
                      </Button>
                    </>
                  )}
                </DialogFooter>
              </>
            );
          }}
        </OpenSlotView>
      </DialogContent>
    </Dialog>
  );
}

/** " for Mia and Ben"; empty if only the customer has booked. */
function describeWhom(booked: Participant[]): string {
  if (!booked.some(({ kind }) => kind === 'dependant')) return '';
  const names = booked.map((one) => (one.kind === 'self' ? 'yourself' : nameParticipant(one)));
  return ` for ${new Intl.ListFormat('en-GB').format(names)}`;
}

/** The coach's rating; renders nothing without reviews. */
function CoachRatingLine({ coachId }: { coachId: string }) {
  const { data } = useApi(reviewsApi.list, { coachId, limit: 1 });
  return data ? <RatingLine rating={data.rating} className="ml-2" /> : null;
}

/**
 * The ages that the lesson is for, and the date on which the age counts; renders nothing without an age
 * range.
 */
function Ages({ slot }: { slot: OpenSlot }) {
  const ages = describeAges(slot);
  if (!ages) return null;
  const when = ageDateNames[slot.ageDate].replace(/^On/, 'on');
  return (
    <>
      <dt>Ages</dt>
      <dd>
        {ages} <span className="text-muted-foreground">{when}</span>
      </dd>
    </>
  );
}
