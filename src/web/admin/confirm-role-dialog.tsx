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
  /** The signed-in admin's id, to recognise a change to the admin's own roles. */
  ownUserId: string | undefined;
  /** `successorId`: the new owner of the business; null if nobody can take over or there is no business. */
  onConfirm: (successorId: string | null) => void;
  isAnswering: boolean;
};

/** Asks the admin to confirm granting or revoking a role, and explains the effect. */
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
        pendingLabel="Removing..."
      >
        {lessonsAhead > 0 && (
          <p>
            {name} still has {describeLessons(lessonsAhead)}. {lessonsAhead === 1 ? 'It stays' : 'They stay'}{' '}
            booked, and {name} can still cancel under the terms of the booking.
          </p>
        )}
        {refundCents > 0 && (
          <p>
            {name} will still receive pending refunds of {formatPounds(refundCents)}.
          </p>
        )}
        <p>
          {name} can no longer book, but can still see past and future bookings with their receipts and
          refunds, and remove the saved card. We'll email {name}.
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
      pendingLabel="Removing..."
    >
      {lessonsAhead > 0 && (
        <p>
          {name} still has {describeLessons(lessonsAhead)}. {lessonsAhead === 1 ? 'It stays' : 'They stay'}{' '}
          booked and paid, and customers aren't notified. If customers should get full refunds, ask {name} to
          cancel before you remove the role.
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
        {name} will no longer appear in search, and will keep only two of the coach pages: earnings and bank
        details. Past lessons are kept, and access returns if you give the role back. We'll email {name}.
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
          {name} ({email}) will be able to see everyone's bookings, pay coaches, change settings and make
          others admins.
        </p>
        <p>We'll email {name} and all other admins.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      {...asked}
      title={isOwn ? 'Remove your own admin role?' : `Remove the admin role from ${name}?`}
      confirmLabel="Remove admin role"
      cancelLabel={isOwn ? 'Keep my admin role' : 'Keep admin role'}
      pendingLabel="Removing..."
    >
      {isOwn ? (
        <p>You'll lose access to this page immediately. Only another admin can give you the role back.</p>
      ) : (
        <p>
          {name} loses access to the admin panel immediately. We'll email {name} and all other admins.
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

/** Says what happens to a business that loses its only owner: a member takes over, or the business is suspended. */
function BusinessFate({ name, business, successorId, onChoose }: BusinessFateProps) {
  const { businessName, successors } = business;
  if (successors.length === 0) {
    return (
      <p>
        {name} is the only owner of {businessName}, and no other member is a coach. The business will be
        suspended until {name} gets the role back, and open invitations will be withdrawn.
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
