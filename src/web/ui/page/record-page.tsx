import type { ReactNode } from 'react';
import { Loading, Skeleton, SkeletonRows } from './skeleton.tsx';

/** Placeholder of a record's page: heading, facts, rows. */
export function RecordSkeleton({ label }: { label: string }) {
  return (
    <Loading label={label} className="mt-6 space-y-6">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-24 w-full" />
      <SkeletonRows label="" />
    </Loading>
  );
}

type RecordHeadingProps = { title: string; status: ReactNode; children?: ReactNode };

/** A record's heading and status, with the buttons for the whole record as children. */
export function RecordHeading({ title, status, children }: RecordHeadingProps) {
  return (
    <div className="mt-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="wrap-anywhere">{title}</h1>
        <p className="mt-2">{status}</p>
      </div>
      {children}
    </div>
  );
}

type Fact = [name: string, value: ReactNode];

type RecordFactsProps = {
  /** Shown first, in large type. */
  amounts: Fact[];
  facts: Fact[];
};

/** The amounts and facts of a record, below its heading. Those without a value are left out. */
export function RecordFacts({ amounts, facts }: RecordFactsProps) {
  return (
    <dl className="mt-6 mb-8 flex flex-wrap gap-x-12 gap-y-4 border-y py-5 text-sm tabular-nums">
      {amounts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="text-xl font-semibold">{value}</dd>
            </div>
          ),
      )}
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="mt-1 wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
