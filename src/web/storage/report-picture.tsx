import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { storageApi } from '#domain/storage/contract.ts';
import { fitInside } from '#domain/storage/picture-url.ts';
import { useApi } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { PersonalPage } from '#web/app/layout/area-layout.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';

/** Lets any visitor ask the admins to look at a public picture. */
export default function ReportPictureScreen() {
  const { pictureId } = useParams({ from: '/pictures/$pictureId/report' });
  const query = useApi(storageApi.getPicture, { pictureId });
  return (
    <PersonalPage>
      <div className="w-full max-w-reading">
        <h1>Report a picture</h1>
        <p className="mt-2 text-muted-foreground">
          Tell us if a picture shows someone who hasn't agreed to it, or if it shouldn't be on this site.
        </p>
        <QueryView
          query={query}
          failure="Failed to load the picture"
          skeleton={
            <Loading label="Loading the picture..." className="mt-6">
              <Skeleton className="h-64 w-full max-w-sm rounded-lg" />
            </Loading>
          }
          missing={
            <EmptyState title="This picture isn't available" className="mt-6">
              The picture has been removed or is hidden until an admin has looked at it, or the address is
              wrong.
            </EmptyState>
          }
        >
          {({ picture }) => (
            <>
              <img
                src={picture.url}
                {...fitInside(picture, 384)}
                alt={picture.alt}
                className="mt-6 h-auto max-w-full rounded-lg border"
              />
              <ReportForm pictureId={pictureId} />
            </>
          )}
        </QueryView>
      </div>
    </PersonalPage>
  );
}

function ReportForm({ pictureId }: { pictureId: string }) {
  const [reason, setReason] = useState('');
  const report = useApiMutation(storageApi.reportPicture);
  if (report.isSuccess) {
    return (
      <p role="status" className="mt-6 max-w-reading">
        Thank you. An admin will look at this picture. If several people report it, we'll hide it until an
        admin decides.
      </p>
    );
  }
  return (
    <form
      noValidate
      className="mt-6 space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        report.mutate({ pictureId, reason });
      }}
    >
      <FormField label="What's wrong with the picture?" error={report.error?.fields?.reason}>
        <Textarea
          rows={4}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </FormField>
      {report.error && !report.error.fields?.reason && (
        <p role="alert" className="text-sm text-destructive">
          {report.error.message}
        </p>
      )}
      <Button type="submit" isLoading={report.isPending} loadingText="Sending...">
        Send report
      </Button>
    </form>
  );
}
