import { Link } from '@tanstack/react-router';
import { wallTimeOf } from '#domain/time.ts';
import {
  type CoachDocument,
  documentsApi,
  submittedKinds,
  type TrustFile,
} from '#domain/verification/documents-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';
import {
  describeAsked,
  describeStanding,
  type KindState,
  nameSchemes,
  reasons,
  titleOfKind,
} from './check-text.ts';
import { DocumentFacts } from './document-facts.tsx';
import { SubmitDocumentDialog } from './submit-document-dialog.tsx';
import { UpdateServiceConsent } from './update-service.tsx';

/**
 * One kind of document on the coach's own page: what is required and why, what was submitted, and the next
 * step.
 */
export function DocumentKindSection({ state, file }: { state: KindState; file: TrustFile }) {
  const { kind, documents } = state;
  const shown = documents.filter(({ status }) => status !== 'replaced');
  const standing = describeStanding(state, wallTimeOf(Date.now()).date);
  const submitting = useDialogItem<true>();
  const submitted = submittedKinds.find((known) => known === kind);
  return (
    <Section
      id={kind}
      title={titleOfKind(kind)}
      description={
        <>
          {reasons[kind]} {describeAsked(state)}
        </>
      }
      actions={<Badge tone={standing.tone}>{standing.label}</Badge>}
    >
      {shown.length > 0 && (
        <ul aria-label={titleOfKind(kind)} className="mb-5 divide-y border-y">
          {shown.map((document) => (
            <OwnDocument key={document.documentId} document={document} />
          ))}
        </ul>
      )}
      {submitted ? (
        <>
          <Button
            variant={state.isAsked && shown.length === 0 ? 'primary' : 'secondary'}
            aria-label={`${submitLabel(state)}: ${titleOfKind(kind)}`}
            onClick={() => submitting.open(true)}
          >
            {submitLabel(state)}
          </Button>
          <SubmitDocumentDialog
            key={submitting.openings}
            kind={submitted}
            coachId={file.coachId}
            isOpen={submitting.isOpen}
            onClose={submitting.close}
          />
        </>
      ) : (
        <ShowingACheck state={state} file={file} />
      )}
    </Section>
  );
}

function submitLabel({ coveredUntil, documents }: KindState): string {
  if (documents.some(({ status }) => status === 'submitted')) return 'Submit another instead';
  return coveredUntil ? 'Submit a renewal' : 'Submit';
}

/** How a coach shows a criminal record check, which is never uploaded. */
function ShowingACheck({ state: { schemes }, file }: { state: KindState; file: TrustFile }) {
  return (
    <div className="max-w-reading text-sm">
      <p>
        {schemes.length > 0 ? (
          <>For your locations we need {nameSchemes(schemes)}. </>
        ) : (
          <>
            Which certificate you need depends on where you teach.{' '}
            <Link to="/coach/locations" className="font-medium text-primary underline underline-offset-4">
              Say which nation your locations are in
            </Link>
            .{' '}
          </>
        )}
        Don't send us a copy. Show the original to an admin, in person or by video call. We record its number,
        its level and its date, and never what it says. Certificates don't expire; once we've seen yours, this
        page says after which day we ask again.{' '}
        <a href="/contact" className="font-medium text-primary underline underline-offset-4">
          Arrange a time
        </a>
      </p>
      {(schemes.length === 0 || schemes.includes('dbs')) && <UpdateServiceConsent consent={file.consent} />}
    </div>
  );
}

function OwnDocument({ document }: { document: CoachDocument }) {
  const { documentId, status, declineReason, kind } = document;
  const asking = useDialogItem<true>();
  const withdraw = useApiMutation(documentsApi.withdraw, { invalidates: [documentsApi.getMine] });
  return (
    <li className="space-y-3 py-4">
      <p className="flex flex-wrap items-center gap-2">
        {status === 'submitted' && <Badge tone="primary">Waiting to be checked</Badge>}
        {status === 'accepted' && <Badge tone="success">Accepted</Badge>}
        {status === 'declined' && <Badge tone="destructive">Declined</Badge>}
      </p>
      {declineReason && <p className="text-sm wrap-anywhere text-destructive">{declineReason}</p>}
      <DocumentFacts document={document} />
      {status === 'submitted' && (
        <Button
          variant="ghost"
          size="sm"
          className="-ml-3"
          aria-label={`Withdraw ${titleOfKind(kind).toLowerCase()}`}
          onClick={() => asking.open(true)}
        >
          Withdraw
        </Button>
      )}
      <ConfirmDialog
        open={asking.isOpen}
        onOpenChange={(isOpen) => isOpen || asking.close()}
        title="Withdraw this document?"
        confirmLabel="Withdraw document"
        cancelLabel="Keep document"
        isDestructive
        isPending={withdraw.isPending}
        pendingLabel="Withdrawing..."
        onConfirm={() =>
          withdraw.mutate(
            { documentId },
            {
              onSuccess: () => toastSuccess('Document withdrawn'),
              onError: ({ message }) => toastError(message),
              onSettled: asking.close,
            },
          )
        }
      >
        We'll delete it with its file. Documents that we've already accepted still count.
      </ConfirmDialog>
    </li>
  );
}
