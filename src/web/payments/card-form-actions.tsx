import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { Button } from '#web/ui/button.tsx';
import { SiteLinks } from '#web/ui/page/site-links.tsx';

/** Props of both card forms: `openSetup` returns a SetupIntent's client secret, `onSaved` takes the card's id. */
export type CardFormProps = {
  openSetup: () => Promise<string>;
  onSaved: (paymentMethodId: string) => Promise<void>;
  onCancel?: (() => void) | undefined;
};

/** The end of both card forms: a note about saving a card, and the buttons. */
export function CardFormActions({
  isSaving,
  isReady = true,
  problem,
  onCancel,
}: {
  isSaving: boolean;
  /** False until the card's fields have loaded. */
  isReady?: boolean;
  /** Why the card was not saved, if the reason does not belong to one field. */
  problem?: string | undefined;
  onCancel: (() => void) | undefined;
}) {
  return (
    <>
      <div role="alert" className="empty:hidden">
        {problem && (
          <p className="rounded-md bg-destructive-soft px-3 py-2 text-sm text-destructive">{problem}</p>
        )}
      </div>
      <p className="flex gap-2 text-xs text-muted-foreground">
        <LockKeyhole aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        Stripe stores your card; we don't. You're not charged until you confirm a booking.
      </p>
      <nav aria-label="Terms and help" className="flex flex-wrap gap-x-4 text-xs text-muted-foreground">
        <SiteLinks isNewTab />
      </nav>
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          <Button variant="secondary" onClick={onCancel} disabled={isSaving}>
            Cancel
          </Button>
        )}
        <Button type="submit" disabled={!isReady} isLoading={isSaving} loadingText="Saving card...">
          Save card
        </Button>
      </div>
    </>
  );
}
