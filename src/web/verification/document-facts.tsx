import { levelNames, methodNames, schemeNames, workforceNames } from '#domain/verification/documents.ts';
import type { CoachDocument } from '#domain/verification/documents-contract.ts';
import { describeProgress, formatDate } from './check-text.ts';

/** The facts of a document, for its coach and for admins. */
export function DocumentFacts({ document }: { document: CoachDocument }) {
  const { scheme, level, workforce, issuer, number, issuedOn, validUntil, recheckOn, method } = document;
  const facts: [string, string | null][] = [
    ['Certificate', scheme && level && `${schemeNames[scheme]}, ${levelNames[level]}`],
    ['Workforce', workforce && workforceNames[workforce]],
    ['Issued by', issuer],
    ['Number', number],
    [
      scheme ? 'Issued' : 'Valid',
      scheme
        ? formatDate(issuedOn)
        : `${formatDate(issuedOn)} to ${formatDate(validUntil ?? document.endsOn)}`,
    ],
    ['We ask again after', recheckOn && formatDate(recheckOn)],
    ['How we saw it', method && methodNames[method]],
    ['Progress', describeProgress(document)],
  ];
  return (
    <dl className="grid grid-cols-[8rem_1fr] gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[10rem_1fr] sm:gap-x-6">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
