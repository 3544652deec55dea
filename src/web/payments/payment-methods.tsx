import { useSearch } from '@tanstack/react-router';
import { describeCard } from '#domain/card-labels.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { useAddressParam, useLeave } from '#web/app/layout/dialog-address.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { CardForm } from './card-form.tsx';
import { CardExpiryWarning, SavedCardLine } from './saved-card.tsx';

/**
 * The saved card: its summary, or the form that adds one. `?next=` is the page that sent the customer here. Without the
 * customer role a card can only be removed.
 */
export default function PaymentMethodsScreen() {
  const { isCustomer } = useAuth();
  const { next } = useSearch({ strict: false }) as { next?: string };
  const leave = useLeave();
  const saved = useApi(paymentsApi.getPaymentMethod, {});
  const remove = useApiMutation(paymentsApi.removePaymentMethod, {
    invalidates: [paymentsApi.getPaymentMethod],
  });
  const [open, setOpen] = useAddressParam('open');
  const isEditing = isCustomer && (Boolean(next) || open === 'form');
  const card = saved.data?.card;
  const finish = () => {
    // `leave` makes sure that going back does not return to the finished form.
    if (next) leave(next);
    else setOpen(null);
  };
  return (
    <div className="max-w-xl">
      <h1>Payment methods</h1>
      <p className="mt-2 text-muted-foreground">
        {isCustomer
          ? 'Your bookings are charged to the card saved here.'
          : "Your account can't book lessons, so you can only remove a saved card."}
      </p>
      <div className="mt-8">
        <QueryView
          query={saved}
          isPart
          failure="Failed to load your card"
          skeleton={
            <Loading>
              <Skeleton className="h-20 w-full rounded-lg" />
            </Loading>
          }
        >
          {() =>
            isEditing ? (
              <Card>
                <h2 className="mb-4 text-lg">{card ? 'Replace your card' : 'Add Payment Method'}</h2>
                <CardForm onDone={finish} onCancel={finish} />
              </Card>
            ) : card ? (
              <Card className="space-y-4">
                <div className="flex flex-wrap items-center justify-between gap-4">
                  <SavedCardLine card={card} />
                  <div className="flex gap-2">
                    {isCustomer && (
                      <Button variant="secondary" onClick={() => setOpen('form')}>
                        Replace
                      </Button>
                    )}
                    <Button variant="ghost" onClick={() => setOpen('removal')}>
                      Remove
                    </Button>
                  </div>
                </div>
                <CardExpiryWarning card={card} />
              </Card>
            ) : (
              <EmptyState
                title={isCustomer ? 'No card saved yet' : 'No card saved'}
                action={isCustomer && <Button onClick={() => setOpen('form')}>Add Payment Method</Button>}
              >
                {isCustomer
                  ? 'Save a card once and book any lesson in two taps.'
                  : 'Refunds still go to the card you paid with.'}
              </EmptyState>
            )
          }
        </QueryView>
      </div>
      <ConfirmDialog
        open={open === 'removal' && Boolean(card)}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'removal' : null)}
        title="Remove this card?"
        confirmLabel="Remove card"
        cancelLabel="Keep card"
        isDestructive
        isPending={remove.isPending}
        pendingLabel="Removing..."
        onConfirm={() =>
          remove.mutate(
            {},
            {
              onSuccess: () => {
                setOpen(null);
                toastSuccess('Card removed');
              },
              onError: (error) => toastError(error.message),
            },
          )
        }
      >
        {card && (
          <p>
            {describeCard(card)} will be removed. Your booked lessons stay booked, and refunds still reach the
            card.
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}
