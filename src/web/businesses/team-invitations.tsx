import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi, type OpenInvitation } from '#domain/businesses/invitations-contract.ts';
import { inviteInput } from '#domain/businesses/rules.ts';
import { formatDay } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

const reads = [businessesApi.listTeam];

type TeamInvitationsProps = { businessName: string; invitations: OpenInvitation[] };

/** Invites a coach by email and lists the open invitations, including expired ones. */
export function TeamInvitations({ businessName, invitations }: TeamInvitationsProps) {
  const itemToDelete = useDialogItem<OpenInvitation>();
  return (
    <Section
      title="Invite a coach"
      description={`We'll email the coach a link to join ${businessName} as an employee. It can be used once and expires after 7 days.`}
    >
      <InviteForm />
      {invitations.length > 0 && (
        <>
          <h3 className="mt-8 mb-3">Open invitations</h3>
          <ul className="divide-y border-t">
            {invitations.map((invitation) => (
              <InvitationRow
                key={invitation.invitationId}
                invitation={invitation}
                onWithdraw={() => itemToDelete.open(invitation)}
              />
            ))}
          </ul>
        </>
      )}
      <WithdrawDialog
        isOpen={itemToDelete.isOpen}
        invitation={itemToDelete.item}
        onClose={itemToDelete.close}
      />
    </Section>
  );
}

function InviteForm() {
  const invite = useApiMutation(invitationsApi.inviteCoach, { invalidates: reads });
  const form = useForm<z.input<typeof inviteInput>, unknown, z.output<typeof inviteInput>>({
    resolver: zodResolver(inviteInput),
    defaultValues: { email: '' },
  });
  const {
    register,
    handleSubmit,
    reset,
    formState: { errors },
  } = form;
  const { showRefusal, clearRefusal, notice } = useRefusal(form);

  function submit(input: z.output<typeof inviteInput>) {
    invite.mutate(input, {
      onSuccess: () => {
        toastSuccess('Invitation sent', `We've emailed a link to ${input.email}.`);
        clearRefusal();
        reset();
      },
      onError: (error) => showRefusal(error),
    });
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="max-w-xl">
      <div className="flex flex-wrap items-start gap-3">
        <FormField label="Coach's email address" error={errors.email?.message} className="grow basis-64">
          <Input type="email" autoComplete="off" {...register('email')} />
        </FormField>
        <Button
          type="submit"
          className="max-sm:w-full sm:mt-6.5"
          isLoading={invite.isPending}
          loadingText="Sending..."
        >
          Send invitation
        </Button>
      </div>
      {notice}
    </form>
  );
}

function InvitationRow({ invitation, onWithdraw }: { invitation: OpenInvitation; onWithdraw: () => void }) {
  const resend = useApiMutation(invitationsApi.resendInvitation, { invalidates: reads });
  const { invitationId, email, expiresAt, isExpired } = invitation;
  const day = formatDay(expiresAt, Date.now());
  function sendAgain() {
    resend.mutate(
      { invitationId },
      {
        onSuccess: () =>
          toastSuccess('Invitation sent again', `The earlier link that we sent to ${email} no longer works.`),
        onError: (error) => toastError(error.message),
      },
    );
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <div className="min-w-0 grow basis-48">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-sm text-muted-foreground">
          {isExpired ? `Expired on ${day}` : `Valid until ${day}`}
        </p>
      </div>
      <Badge tone={isExpired ? 'warning' : 'neutral'}>{isExpired ? 'Expired' : 'Invited'}</Badge>
      <div className="flex gap-2 max-sm:w-full max-sm:*:grow">
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Send the invitation to ${email} again`}
          isLoading={resend.isPending}
          loadingText="Sending..."
          onClick={sendAgain}
        >
          Send again
        </Button>
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Withdraw the invitation to ${email}`}
          onClick={onWithdraw}
        >
          Withdraw
        </Button>
      </div>
    </li>
  );
}

type WithdrawDialogProps = { isOpen: boolean; invitation: OpenInvitation | null; onClose: () => void };

function WithdrawDialog({ isOpen, invitation, onClose }: WithdrawDialogProps) {
  const withdraw = useApiMutation(invitationsApi.withdrawInvitation, { invalidates: reads });
  function confirm() {
    if (!invitation) return;
    withdraw.mutate(
      { invitationId: invitation.invitationId },
      {
        onSuccess: () => toastSuccess('Invitation withdrawn', invitation.email),
        onError: (error) => toastError(error.message),
        onSettled: onClose,
      },
    );
  }
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title="Withdraw this invitation?"
      confirmLabel="Withdraw"
      cancelLabel="Keep invitation"
      isDestructive
      isPending={withdraw.isPending}
      pendingLabel="Withdrawing..."
      onConfirm={confirm}
    >
      <p>
        The link we emailed to {invitation?.email} will no longer work. You can invite the coach again later.
      </p>
    </ConfirmDialog>
  );
}
