import { Link } from '@tanstack/react-router';
import { deskApi } from '#domain/desk/contract.ts';
import type { RefundRequest } from '#domain/desk/desk-booking.ts';
import { refuseDecision } from '#domain/desk/rules.ts';
import { formatPounds } from '#domain/money.ts';
import { formatDay, formatLessonTime, formatTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { Money } from '#web/ui/money.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { bearerLabels } from './desk-labels.ts';

/** All refunds that are waiting for a second admin; renders nothing if there are none. */
export function WaitingRefunds() {
  const found = usePages(deskApi.listRequests, {}, (page) => page.requests);
  if (found.items.length === 0 && !found.isError) return null;
  return (
    <Section
      title="Refunds that need a second admin"
      description="The customer gets nothing until another admin approves the refund."
    >
      <PagedList
        found={found}
        skeleton={null}
        failure="Failed to load refunds"
        empty={null}
        more="Show more refunds"
      >
        {(requests) => <RefundRequests requests={requests} hasBooking />}
      </PagedList>
    </Section>
  );
}

type Decided = { request: RefundRequest; decision: 'approve' | 'decline' };

const declining = {
  own: { title: 'Withdraw this refund?', confirm: 'Withdraw refund', done: 'Refund withdrawn' },
  other: { title: 'Decline this refund?', confirm: 'Decline refund', done: 'Refund declined' },
};

/** Waiting refunds, with buttons to decide on them. `hasBooking`: each row shows its booking. */
export function RefundRequests({
  requests,
  hasBooking = false,
}: {
  requests: RefundRequest[];
  hasBooking?: boolean;
}) {
  const deciding = useDialogItem<Decided>();
  return (
    <>
      <ul aria-label="Refunds that need a second admin" className="divide-y border-t">
        {requests.map((request) => (
          <RequestRow
            key={request.refundRequestId}
            request={request}
            hasBooking={hasBooking}
            onDecide={(decision) => deciding.open({ request, decision })}
          />
        ))}
      </ul>
      {deciding.item && (
        <DecisionDialog
          key={deciding.openings}
          decided={deciding.item}
          isOpen={deciding.isOpen}
          onClose={deciding.close}
        />
      )}
    </>
  );
}

const isAskedBy = ({ askedBy }: RefundRequest, adminId = '') =>
  refuseDecision({ askedBy: askedBy.userId }, adminId, 'approve') !== null;

type RequestRowProps = {
  request: RefundRequest;
  hasBooking: boolean;
  onDecide: (decision: Decided['decision']) => void;
};

function RequestRow({ request, hasBooking, onDecide }: RequestRowProps) {
  const { user } = useAuth();
  const { bookingId, amountCents, customerName, title, startTime, endTime, askedBy, askedAt } = request;
  const isOwn = isAskedBy(request, user?.id);
  const now = Date.now();
  const amount = formatPounds(amountCents);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 grow basis-72 space-y-1 text-sm wrap-anywhere">
        <p className="font-medium">
          <Money cents={amountCents} /> to {customerName}, borne by{' '}
          {bearerLabels[request.borneBy].toLowerCase()}
        </p>
        {hasBooking && (
          <p>
            <Link to="/admin/bookings/$bookingId" params={{ bookingId }}>
              {title}, {formatLessonTime(startTime, endTime, now)}
            </Link>
          </p>
        )}
        <p>“{request.reason}”</p>
        <p className="text-muted-foreground">
          Asked for by {askedBy.fullName}, {formatDay(askedAt, now)}, {formatTime(askedAt)}
        </p>
      </div>
      <span className="flex flex-wrap gap-2">
        {!isOwn && (
          <Button
            size="sm"
            aria-label={`Approve the refund of ${amount} to ${customerName}`}
            onClick={() => onDecide('approve')}
          >
            Approve
          </Button>
        )}
        <Button
          size="sm"
          variant="secondary"
          aria-label={`${isOwn ? 'Withdraw' : 'Decline'} the refund of ${amount} to ${customerName}`}
          onClick={() => onDecide('decline')}
        >
          {isOwn ? 'Withdraw' : 'Decline'}
        </Button>
      </span>
    </li>
  );
}

function DecisionDialog({
  decided: { request, decision },
  isOpen,
  onClose,
}: {
  decided: Decided;
  isOpen: boolean;
  onClose: () => void;
}) {
  const amount = formatPounds(request.amountCents);
  const { user } = useAuth();
  const isApproval = decision === 'approve';
  const text = declining[isAskedBy(request, user?.id) ? 'own' : 'other'];
  const decide = useApiMutation(deskApi.decideRequest, {
    invalidates: [deskApi.listRequests, deskApi.get],
    onSuccess: () =>
      isApproval
        ? toastSuccess(`${amount} refunded`, `${request.customerName} will be emailed.`)
        : toastSuccess(text.done),
  });
  const confirm = () =>
    decide.mutate(
      { refundRequestId: request.refundRequestId, decision },
      { onSettled: onClose, onError: (error) => toastError(error.message) },
    );
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title={isApproval ? `Refund ${amount}?` : text.title}
      confirmLabel={isApproval ? 'Refund' : text.confirm}
      isPending={decide.isPending}
      pendingLabel="Saving..."
      onConfirm={confirm}
    >
      {isApproval ? (
        <p>
          We'll refund {amount} to {request.customerName} and email them this reason: “{request.reason}”. You
          can't undo a refund.
        </p>
      ) : (
        <p>
          {request.customerName} won't get {amount} and won't be notified. You can ask for the refund again.
        </p>
      )}
    </ConfirmDialog>
  );
}
