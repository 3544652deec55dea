import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';

/** A placeholder for a form with `fields` labelled fields. */
export function FormSkeleton({ label, fields }: { label: string; fields: number }) {
  return (
    <Loading label={label} className="grid max-w-2xl gap-x-4 gap-y-5 sm:grid-cols-2">
      {Array.from({ length: fields }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no ids
        <div key={field} className="space-y-2">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </Loading>
  );
}
