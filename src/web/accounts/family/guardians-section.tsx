import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { guardianInvitationDays } from '#domain/accounts/guardians.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { maxGuardians, relationNames } from '#domain/accounts/participants.ts';
import {
  type GuardianInvitation,
  type Participant,
  participantsApi,
} from '#domain/accounts/participants-contract.ts';
import { enteredEmail } from '#domain/fields.ts';
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

type GuardiansSectionProps = { participant: Participant; invitations: GuardianInvitation[] };

/** The guardians of a dependant and the pending invitations, with buttons to send and withdraw invitations. */
export function GuardiansSection({ participant, invitations }: GuardiansSectionProps) {
  const { participantId, fullName, guardians } = participant;
  const withdrawing = useDialogItem<GuardianInvitation>();
  return (
    <Section
      title="Guardians"
      description={`Each guardian sees ${fullName}'s details and bookings, can book, and gets the notifications. Only the person who booked a lesson can cancel it.`}
    >
      <ul className="divide-y border-y">
        {guardians.map(({ fullName: name, relation, isMe }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: guardians have no ids here, and two may share a name
            key={index}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 text-sm"
          >
            <span className="font-medium wrap-anywhere">
              {name}
              {isMe && <span className="font-normal text-muted-foreground"> (you)</span>}
            </span>
            <span className="text-muted-foreground">{relationNames[relation]}</span>
          </li>
        ))}
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.guardianInvitationId}
            invitation={invitation}
            onWithdraw={() => withdrawing.open(invitation)}
          />
        ))}
      </ul>
      {guardians.length < maxGuardians ? (
        <InviteForm participant={participant} />
      ) : (
        <p className="mt-4 text-sm text-muted-foreground">There can be up to {maxGuardians} guardians.</p>
      )}
      <WithdrawDialog
        participantId={participantId}
        invitation={withdrawing.item}
        isOpen={withdrawing.isOpen}
        onClose={withdrawing.close}
      />
    </Section>
  );
}

function InvitationRow({
  invitation: { email, expiresAt, isExpired },
  onWithdraw,
}: {
  invitation: GuardianInvitation;
  onWithdraw: () => void;
}) {
  const day = formatDay(expiresAt, Date.now());
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0 grow basis-48">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-muted-foreground">{isExpired ? `Expired on ${day}` : `Valid until ${day}`}</p>
      </div>
      <Badge tone={isExpired ? 'warning' : 'neutral'}>{isExpired ? 'Expired' : 'Invited'}</Badge>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Withdraw the invitation to ${email}`}
        onClick={onWithdraw}
      >
        Withdraw
      </Button>
    </li>
  );
}

const inviteInput = z.object({ email: enteredEmail });

function InviteForm({ participant: { participantId, fullName } }: { participant: Participant }) {
  const invite = useApiMutation(guardiansApi.invite, { invalidates: [participantsApi.get] });
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

  function submit({ email }: z.output<typeof inviteInput>) {
    invite.mutate(
      { participantId, email },
      {
        onSuccess: () => {
          toastSuccess('Invitation sent', `We've emailed a link to ${email}.`);
          clearRefusal();
          reset();
        },
        onError: (error) => showRefusal(error),
      },
    );
  }

  return (
    <form noValidate onSubmit={handleSubmit(submit)} className="mt-5">
      <h3 className="mb-3 text-base">Invite another guardian</h3>
      <div className="flex flex-wrap items-start gap-3">
        <FormField
          label="Guardian's email address"
          error={errors.email?.message}
          hint={`We'll email a link, valid for ${guardianInvitationDays} days. The email doesn't name ${fullName}.`}
          className="grow basis-64"
        >
          <Input type="email" autoComplete="off" placeholder="name@example.org" {...register('email')} />
        </FormField>
        <Button
          type="submit"
          variant="secondary"
          className="max-sm:w-full sm:mt-6.5"
          isLoading={invite.isPending}
          loadingText="Sending..."
        >
          Send invitation
        </Button>
      </div>
      <div className="mt-3 empty:hidden">{notice}</div>
    </form>
  );
}

type WithdrawDialogProps = {
  participantId: string;
  invitation: GuardianInvitation | null;
  isOpen: boolean;
  onClose: () => void;
};

function WithdrawDialog({ participantId, invitation, isOpen, onClose }: WithdrawDialogProps) {
  const withdraw = useApiMutation(guardiansApi.withdraw, { invalidates: [participantsApi.get] });
  function confirm() {
    if (!invitation) return;
    const { guardianInvitationId, email } = invitation;
    withdraw.mutate(
      { participantId, guardianInvitationId },
      {
        onSuccess: () => toastSuccess('Invitation withdrawn', email),
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
      <p>The link we emailed to {invitation?.email} will stop working. You can invite them again later.</p>
    </ConfirmDialog>
  );
}
