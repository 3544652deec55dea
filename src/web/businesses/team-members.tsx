import { businessesApi, type TeamMember } from '#domain/businesses/contract.ts';
import {
  type BusinessRole,
  refuseBecomeOwner,
  refuseBecomeWelfareOfficer,
  refuseManageMember,
} from '#domain/businesses/rules.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/class-names.ts';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

const roleNames: Record<BusinessRole, string> = { owner: 'Owner', employee: 'Employee' };

type Asked = { action: 'promote' | 'demote' | 'remove' | 'name' | 'unname'; member: TeamMember };

/**
 * Lists the members with name, email and role. Owners can change the roles of other members, make them welfare officers
 * and remove them from the team.
 */
export function TeamMembers({ me, members }: { me: TeamMember; members: TeamMember[] }) {
  const asked = useDialogItem<Asked>();
  const isManageable = ({ coachId }: TeamMember) => refuseManageMember(me, members, coachId) === null;
  const hasActions = members.some(isManageable);
  return (
    <>
      <ul className="divide-y border-t">
        {members.map((member) => (
          <li key={member.coachId} className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
            <Avatar name={member.fullName} />
            <div className="min-w-0 grow basis-48">
              <h3 className="text-base font-medium wrap-anywhere">
                {member.fullName}
                {member.coachId === me.coachId && <span className="text-muted-foreground"> (you)</span>}
              </h3>
              <p className="text-sm wrap-anywhere text-muted-foreground">{member.email}</p>
            </div>
            <div className={cn('flex flex-wrap gap-2', hasActions && 'sm:min-w-24')}>
              {!member.isActive && <Badge tone="warning">Not a coach</Badge>}
              {member.isWelfareOfficer && <Badge>Welfare officer</Badge>}
              <Badge tone={member.businessRole === 'owner' ? 'primary' : 'neutral'}>
                {roleNames[member.businessRole]}
              </Badge>
            </div>
            {/* Rows without buttons keep the space for them, so that the roles align in one column. */}
            {hasActions && (
              <div
                className={cn(
                  'flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow sm:w-60 sm:justify-end',
                  !isManageable(member) && 'max-sm:hidden',
                )}
              >
                {isManageable(member) && (
                  <MemberActions member={member} onAsk={(action) => asked.open({ action, member })} />
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked.item && <MemberDialog {...asked.item} isOpen={asked.isOpen} onClose={asked.close} />}
    </>
  );
}

function MemberActions({ member, onAsk }: { member: TeamMember; onAsk: (action: Asked['action']) => void }) {
  const isOwner = member.businessRole === 'owner';
  return (
    <>
      {(isOwner || refuseBecomeOwner(member) === null) && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Make ${member.fullName} an ${isOwner ? 'employee' : 'owner'}`}
          onClick={() => onAsk(isOwner ? 'demote' : 'promote')}
        >
          {isOwner ? 'Make employee' : 'Make owner'}
        </Button>
      )}
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Remove ${member.fullName}`}
        onClick={() => onAsk('remove')}
      >
        Remove
      </Button>
      {(member.isWelfareOfficer || refuseBecomeWelfareOfficer(member) === null) && (
        <Button
          variant="link"
          size="sm"
          className="max-sm:basis-full"
          aria-label={
            member.isWelfareOfficer
              ? `End ${member.fullName}'s role as welfare officer`
              : `Make ${member.fullName} a welfare officer`
          }
          onClick={() => onAsk(member.isWelfareOfficer ? 'unname' : 'name')}
        >
          {member.isWelfareOfficer ? 'End officer role' : 'Make welfare officer'}
        </Button>
      )}
    </>
  );
}

const reads = [businessesApi.listTeam, businessesApi.getBusiness];

type MemberDialogProps = Asked & { isOpen: boolean; onClose: () => void };

function MemberDialog({ isOpen, action, member, onClose }: MemberDialogProps) {
  const change = useApiMutation(businessesApi.changeBusinessRole, { invalidates: reads });
  const remove = useApiMutation(businessesApi.removeMember, { invalidates: reads });
  const setOfficer = useApiMutation(businessesApi.setWelfareOfficer, { invalidates: reads });
  const name = member.fullName;
  const texts = {
    promote: {
      title: `Make ${name} an owner?`,
      confirm: 'Make owner',
      done: 'Role changed',
      notice: `${name} is now an owner.`,
      text: "Owners can change the business, invite and remove members, and change members' roles, including yours.",
    },
    demote: {
      title: `Make ${name} an employee?`,
      confirm: 'Make employee',
      done: 'Role changed',
      notice: `${name} is now an employee.`,
      text: `${name} stays in the team, but can no longer change the business or manage its members.`,
    },
    remove: {
      title: `Remove ${name} from the team?`,
      confirm: 'Remove',
      done: 'Team member removed',
      notice: `${name} is no longer in the team.`,
      text: `${name} keeps all lessons and bookings. To come back, ${name} needs a new invitation.`,
    },
    name: {
      title: `Make ${name} a welfare officer?`,
      confirm: 'Make welfare officer',
      done: 'Welfare officer appointed',
      notice: `${name} is now a welfare officer.`,
      text: "Owners and welfare officers can open the registers of all the team's lessons, with emergency contacts and notes about health and needs. Families can see each time a register is opened.",
    },
    unname: {
      title: `End ${name}'s role as welfare officer?`,
      confirm: 'End role',
      done: 'Role ended',
      notice: `${name} is no longer a welfare officer.`,
      text: `${name} can no longer open other coaches' registers.`,
    },
  }[action];

  function confirm() {
    const { coachId } = member;
    const outcome = {
      onSuccess: () => toastSuccess(texts.done, texts.notice),
      onError: (error: Error) => toastError(error.message),
      onSettled: onClose,
    };
    if (action === 'remove') remove.mutate({ coachId }, outcome);
    else if (action === 'name' || action === 'unname')
      setOfficer.mutate({ coachId, isWelfareOfficer: action === 'name' }, outcome);
    else change.mutate({ coachId, businessRole: action === 'promote' ? 'owner' : 'employee' }, outcome);
  }

  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title={texts.title}
      confirmLabel={texts.confirm}
      isDestructive={action === 'remove'}
      isPending={change.isPending || remove.isPending || setOfficer.isPending}
      pendingLabel="Saving..."
      onConfirm={confirm}
    >
      <p>{texts.text}</p>
    </ConfirmDialog>
  );
}
