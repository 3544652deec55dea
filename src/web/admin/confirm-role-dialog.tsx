import { type ComponentProps, useState } from 'react';
import type { RoleObstacles } from '#domain/admin/contract.ts';
import { formatPounds } from '#domain/money.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import type { DialogItem } from '#web/ui/overlay/dialog-item.ts';
import type { RoleQuestion } from './use-change-role.ts';

type ConfirmRoleDialogProps = {
  question: DialogItem<RoleQuestion>;
  /** The admin who is asked, who may give up a role of their own. */
  ownUserId: string | undefined;
  /** Who takes over the business; null if nobody can, or there is none. */
  onConfirm: (successorId: string | null) => void;
  isAnswering: boolean;
};

/** Confirms granting or revoking a role and explains the effect. */
export function ConfirmRoleDialog(props: ConfirmRoleDialogProps) {
  const { question, ownUserId, onConfirm, isAnswering } = props;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const { user, role, lessonsAhead = 0, refundCents = 0, business } = question.item ?? {};
  const name = user?.fullName;
  const successors = business?.successors ?? [];
  const successorId = successors.find(({ coachId }) => coachId === chosenId) ?? successors[0];
  const asked = {
    open: question.isOpen,
    onOpenChange: question.close,
    onConfirm: () => onConfirm(successorId?.coachId ?? null),
    isPending: isAnswering,
    isDestructive: true,
  };
  if (role === 'admin') {
    return <AdminQuestion {...asked} {...question.item!} isOwn={user!.userId === ownUserId} />;
  }
  if (role === 'customer') {
    return (
      <ConfirmDialog
        {...asked}
        title={`Remove the customer role from ${name}?`}
        confirmLabel="Remove customer role"
        cancelLabel="Keep customer role"
        pendingLabel="Taking..."
      >
        {lessonsAhead > 0 && (
          <p>
            {name} has {describeLessons(lessonsAhead)} ahead. {lessonsAhead === 1 ? 'It stays' : 'They stay'}{' '}
            booked, and {name} can still cancel by the terms of the booking.
          </p>
        )}
        {refundCents > 0 && (
          <p>
            Refunds of {formatPounds(refundCents)} to {name} are not finished. They are still owed.
          </p>
        )}
        <p>
          {name} can't book any more, but can still see past and future bookings with their receipts and
          refunds, and remove the saved card. {name} is emailed.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      {...asked}
      title={`Remove the coach role from ${name}?`}
      confirmLabel="Remove coach role"
      cancelLabel="Keep coach role"
      pendingLabel="Taking..."
    >
      {lessonsAhead > 0 && (
        <p>
          {name} has {describeLessons(lessonsAhead)} ahead. {lessonsAhead === 1 ? 'It stays' : 'They stay'}{' '}
          booked and paid, and the customers are not notified. To cancel with full refunds, do that before you
          take the role.
        </p>
      )}
      {business && (
        <BusinessFate
          name={name ?? ''}
          business={business}
          successorId={successorId?.coachId}
          onChoose={setChosenId}
        />
      )}
      <p>
        {name} no longer appears in search and can only open earnings and bank details. Past lessons are kept,
        and everything returns if you give the role back. {name} is emailed.
      </p>
    </ConfirmDialog>
  );
}

const describeLessons = (count: number) => (count === 1 ? '1 booked lesson' : `${count} booked lessons`);

type AdminQuestionProps = RoleQuestion & { isOwn: boolean } & Pick<
    ComponentProps<typeof ConfirmDialog>,
    'open' | 'onOpenChange' | 'onConfirm' | 'isPending'
  >;

function AdminQuestion({
  user,
  isHeld,
  isOwn,
  open,
  onOpenChange,
  onConfirm,
  isPending,
}: AdminQuestionProps) {
  const { fullName: name, email } = user;
  const asked = { open, onOpenChange, onConfirm, isPending, isDestructive: true };
  if (isHeld) {
    return (
      <ConfirmDialog
        {...asked}
        title={`Make ${name} an admin?`}
        confirmLabel="Give admin role"
        pendingLabel="Giving..."
      >
        <p>
          {name} ({email}) can then see everybody's bookings, pay coaches, change settings and make others
          admins.
        </p>
        <p>{name} and all other admins are emailed.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      {...asked}
      title={isOwn ? 'Remove your own admin role?' : `Take the admin role from ${name}?`}
      confirmLabel={isOwn ? 'Remove admin role' : 'Take admin role'}
      cancelLabel={isOwn ? 'Stay admin' : 'Keep admin role'}
      pendingLabel={isOwn ? 'Removing...' : 'Taking...'}
    >
      {isOwn ? (
        <p>You'll lose access to this page immediately. Only another admin can give you the role back.</p>
      ) : (
        <p>
          The admin panel closes for {name} at once. {name} and all other admins are emailed.
        </p>
      )}
    </ConfirmDialog>
  );
}

type BusinessFateProps = {
  name: string;
  business: NonNullable<RoleObstacles['business']>;
  successorId: string | undefined;
  onChoose: (coachId: string) => void;
};

/** What happens to a business without its only owner: a member takes over, or it is suspended. */
function BusinessFate({ name, business, successorId, onChoose }: BusinessFateProps) {
  const { businessName, successors } = business;
  if (successors.length === 0) {
    return (
      <p>
        {name} is the only owner of {businessName}, and no other member is a coach. The business is suspended
        until {name} has the role again; open invitations are withdrawn.
      </p>
    );
  }
  return (
    <>
      <p>
        {name} is the only owner of {businessName}. Choose the new owner; we'll email them.
      </p>
      <FormField label={`New owner of ${businessName}`} className="py-2 text-foreground">
        <Select value={successorId} onChange={({ target }) => onChoose(target.value)}>
          {successors.map(({ coachId, fullName }) => (
            <option key={coachId} value={coachId}>
              {fullName}
            </option>
          ))}
        </Select>
      </FormField>
    </>
  );
}
