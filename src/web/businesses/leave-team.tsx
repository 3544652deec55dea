import { useState } from 'react';
import { businessesApi, type TeamMember } from '#domain/businesses/contract.ts';
import { planDeparture } from '#domain/businesses/rules.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

type LeaveTeamProps = { businessName: string; me: TeamMember; members: TeamMember[] };

/** Leaves a team after confirmation. The texts say whether the business ends or another owner keeps it. */
export function LeaveTeam({ businessName, me, members }: LeaveTeamProps) {
  const [isAsking, setIsAsking] = useState(false);
  const leave = useApiMutation(businessesApi.leaveTeam, {
    invalidates: [businessesApi.listTeam, businessesApi.getBusiness],
    onSuccess: ({ hasEnded }) =>
      toastSuccess(hasEnded ? 'Business ended' : "You've left the team", businessName),
  });
  const departure = planDeparture(me, members);
  const ends = departure.outcome === 'ends';
  const others = members.length - 1;
  // The business also ends if no other owner is still a coach.
  const isOnlyOwner = !members.some(
    ({ coachId, businessRole }) => coachId !== me.coachId && businessRole === 'owner',
  );
  const label = ends ? `End ${businessName}` : `Leave ${businessName}`;

  function confirm() {
    leave.mutate(
      { endsBusiness: ends },
      {
        onError: (error) => toastError(error.message),
        onSettled: () => setIsAsking(false),
      },
    );
  }

  return (
    <Section
      title={ends ? 'End the business' : 'Leave the team'}
      description={
        ends
          ? `You're the only owner${isOnlyOwner ? '' : ' who is currently a coach'}. If you leave, the business ends. To transfer it, make another member an owner first.`
          : departure.outcome === 'transfers'
            ? `The business stays with ${departure.successor.fullName}.`
            : "You'll still be a coach and keep all your lessons and bookings."
      }
    >
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        {ends ? 'End business' : 'Leave team'}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={`${label}?`}
        confirmLabel={ends ? 'End business' : 'Leave team'}
        cancelLabel={ends ? 'Keep business' : 'Stay'}
        isDestructive
        isPending={leave.isPending}
        pendingLabel={ends ? 'Ending...' : 'Leaving...'}
        onConfirm={confirm}
      >
        {ends ? (
          <p>
            The business and its open invitations will be permanently deleted
            {others > 0 &&
              `, and ${others === 1 ? 'the other member' : `the ${others} other members`} will no longer be in a team`}
            . Everyone remains a coach and keeps all lessons and bookings.
          </p>
        ) : (
          <p>
            {departure.outcome === 'transfers' && `The business stays with ${departure.successor.fullName}. `}
            You'll still be a coach and keep all your lessons and bookings. To come back, you'll need a new
            invitation.
          </p>
        )}
      </ConfirmDialog>
    </Section>
  );
}
