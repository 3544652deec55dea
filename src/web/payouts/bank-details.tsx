import ShieldCheck from 'lucide-react/icons/shield-check';
import { useState } from 'react';
import { type BankDetails, payoutsApi } from '#domain/payouts/contract.ts';
import { formatDay } from '#domain/time.ts';
import { useApi } from '#web/app/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryView } from '#web/ui/page/query-view.tsx';
import { Loading, Skeleton } from '#web/ui/page/skeleton.tsx';
import { BankDetailsForm } from './bank-details-form.tsx';
import { describeCountry, describeCurrency } from './bank-labels.ts';

/** The coach's saved bank details, masked, and the form to replace them. */
export default function BankDetailsScreen() {
  const query = useApi(payoutsApi.getBankDetails, {});
  const [isChanging, setIsChanging] = useState(false);
  return (
    <div className="max-w-reading">
      <h1>Bank Details</h1>
      <p className="mt-2 text-muted-foreground">We pay your earnings into this bank account.</p>
      <div className="mt-8">
        <QueryView
          query={query}
          failure="Failed to load bank details"
          skeleton={
            <Loading label="Loading bank details..." className="space-y-6">
              {['w-1/2', 'w-1/3', 'w-2/5', 'w-1/4'].map((width) => (
                <div key={width} className="space-y-2">
                  <Skeleton className="h-3 w-24" />
                  <Skeleton className={width} />
                </div>
              ))}
            </Loading>
          }
        >
          {({ bankDetails: saved }) =>
            saved && !isChanging ? (
              <SavedDetails details={saved} onChange={() => setIsChanging(true)} />
            ) : (
              <BankDetailsForm
                isChange={Boolean(saved)}
                onSaved={() => setIsChanging(false)}
                onCancel={saved ? () => setIsChanging(false) : undefined}
              />
            )
          }
        </QueryView>
      </div>
      <p className="mt-10 flex gap-3 border-t pt-6 text-sm text-muted-foreground">
        <ShieldCheck aria-hidden className="mt-0.5 size-5 shrink-0" />
        We store the numbers encrypted and show only their last digits here. We'll email you whenever these
        details change.
      </p>
    </div>
  );
}

function SavedDetails({ details, onChange }: { details: BankDetails; onChange: () => void }) {
  const facts = [
    ['Name on the account', details.accountName],
    ['Sort code', details.maskedSortCode],
    ['Account number', details.maskedAccountNumber],
    ['Recipient type', details.recipientType],
    ['Country', describeCountry(details.bankCountry)],
    ['Currency', describeCurrency(details.currency)],
  ] as const;
  return (
    <>
      <dl className="divide-y border-y">
        {facts.map(([name, value]) => (
          <div key={name} className="grid items-baseline gap-x-6 py-3 sm:grid-cols-[12rem_1fr]">
            <dt className="text-sm text-muted-foreground">{name}</dt>
            <dd className="min-w-0 break-words font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button variant="secondary" onClick={onChange}>
          Change bank details
        </Button>
        <p className="text-sm text-muted-foreground">
          Last changed {formatDay(details.updatedAt, Date.now())}
        </p>
      </div>
    </>
  );
}
