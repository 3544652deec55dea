import type { Business } from '#domain/businesses/contract.ts';

/** The business's details, read-only, for its employees. */
export function BusinessFacts({ business }: { business: Business }) {
  const facts = [
    ['Name', business.businessName],
    ['Owner', business.ownerName],
    ['Email', business.businessEmail],
    ['Phone', business.businessPhone],
    ['Address', business.businessAddress],
  ] as const;
  return (
    <dl className="grid max-w-2xl gap-x-4 gap-y-4 sm:grid-cols-2">
      {facts.map(([term, fact]) =>
        fact ? (
          <div key={term}>
            <dt className="text-sm text-muted-foreground">{term}</dt>
            <dd className="mt-0.5 whitespace-pre-line wrap-anywhere">{fact}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
