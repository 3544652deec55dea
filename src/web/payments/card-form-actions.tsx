import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { Button } from '#web/ui/button.tsx';
import { SiteLinks } from '#web/ui/site-links.tsx';

/** What both card forms are given: `openSetup` answers a SetupIntent's client secret, `onSaved` takes the card's id. */
export type CardFormProps = {
  openSetup: () => Promise<string>;
  onSaved: (paymentMethodId: string) => Promise<void>;
  onCancel?: (() => void) | undefined;
};

/** The end of both card forms: what saving means, and the buttons. */
export function CardFormActions({
  isSaving,
  onCancel,
}: {
  isSaving: boolean;
  onCancel: (() => void) | undefined;
}) {
  return (
    <>
      <p className="flex gap-2 text-xs text-muted-foreground">
        <LockKeyhole aria-hidden className="mt-0.5 size-3.5 shrink-0" />
        Your card is kept by the card network, not by us. Nothing is charged until you confirm a booking.
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
        <Button type="submit" isLoading={isSaving} loadingText="Saving card...">
          Save card
        </Button>
      </div>
    </>
  );
}
