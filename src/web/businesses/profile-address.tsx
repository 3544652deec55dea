import { coachPath } from '#domain/pages.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

/** The address of the coach's page, to copy and share. */
export function ProfileAddress({ coach }: { coach: { coachId: string; coachAddress: string | null } }) {
  const address = location.origin + coachPath(coach);
  async function copy() {
    try {
      await navigator.clipboard.writeText(address);
      toastSuccess('Link copied', 'Paste it wherever customers find you.');
    } catch {
      toastError("We couldn't copy the link. Select it and copy it yourself.");
    }
  }
  return (
    <div className="mb-6 max-w-2xl space-y-3">
      <FormField
        label="Link to your public profile"
        hint="It contains your name. If your name changes, you'll get a new link, and the old one will lead to it."
      >
        <Input readOnly value={address} onFocus={({ target }) => target.select()} />
      </FormField>
      <Button variant="secondary" onClick={() => void copy()}>
        Copy link
      </Button>
    </div>
  );
}
