import { buckets } from '#domain/storage/buckets.ts';
import { type ReportedPicture, storageApi } from '#domain/storage/contract.ts';
import { sizedUrl } from '#domain/storage/picture-url.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { RemovePictureDialog } from './remove-picture-dialog.tsx';

/** Reported pictures for an admin to keep or remove. */
export function ReportedPictures() {
  const query = useApi(storageApi.listReportedPictures, {});
  const removing = useDialogItem<ReportedPicture>();
  const decide = useApiMutation(storageApi.decidePicture, { invalidates: [storageApi.listReportedPictures] });
  const settle = (picture: ReportedPicture, decision: 'keep' | 'remove') =>
    decide.mutate(
      { pictureId: picture.pictureId, decision },
      {
        onSuccess: () => {
          removing.close();
          toastSuccess(decision === 'keep' ? 'Picture kept' : 'Picture removed');
        },
        onError: (error) => toastError(error.message),
      },
    );
  return (
    <Section
      title="Reported pictures"
      description="Reports from three different visitors hide a picture until you decide. The audit log records your decision."
    >
      <QueryView
        query={query}
        failure="Failed to load reported pictures"
        skeleton={<SkeletonRows label="Loading reported pictures..." />}
        isEmpty={({ pictures }) => pictures.length === 0}
        empty={<EmptyState title="No reported pictures">Reports from visitors will appear here.</EmptyState>}
      >
        {({ pictures }) => (
          <ul aria-label="Reported pictures" className="divide-y border-y">
            {pictures.map((picture) => (
              <li key={picture.pictureId} className="flex flex-wrap items-start gap-5 py-5">
                <img
                  src={sizedUrl(picture.url, buckets[picture.bucket].sizes.at(-1)!)}
                  width={picture.width}
                  height={picture.height}
                  alt={picture.alt}
                  loading="lazy"
                  className="h-auto w-40 rounded-md border"
                />
                <div className="min-w-0 grow basis-72 space-y-2 text-sm">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {picture.ownerName}
                    {picture.isHidden && <Badge tone="warning">Hidden</Badge>}
                  </p>
                  {picture.reports.length === 0 && (
                    <p className="text-muted-foreground">
                      The people who reported this picture have deleted their accounts.
                    </p>
                  )}
                  <ul className="space-y-1 empty:hidden">
                    {picture.reports.map(({ reason, at }) => (
                      <li key={at + reason} className="wrap-anywhere whitespace-pre-line">
                        <span className="text-muted-foreground">{formatDay(at, Date.now())}:</span> {reason}
                      </li>
                    ))}
                  </ul>
                </div>
                <span className="flex flex-wrap gap-2">
                  <Button
                    size="sm"
                    variant="secondary"
                    isLoading={decide.isPending && decide.variables.pictureId === picture.pictureId}
                    onClick={() => settle(picture, 'keep')}
                    aria-label={`Keep ${picture.ownerName}'s picture`}
                  >
                    Keep
                  </Button>
                  <Button
                    size="sm"
                    variant="destructive"
                    onClick={() => removing.open(picture)}
                    aria-label={`Remove ${picture.ownerName}'s picture`}
                  >
                    Remove
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <RemovePictureDialog
        isOpen={removing.isOpen}
        onClose={removing.close}
        cancelLabel="Cancel"
        isPending={decide.isPending}
        onConfirm={() => removing.item && settle(removing.item, 'remove')}
      >
        We'll delete the picture and notify {removing.item?.ownerName}.
      </RemovePictureDialog>
    </Section>
  );
}
