import { useRef } from 'react';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { RoleQuestion } from './use-change-role.ts';

type ConfirmRoleDialogProps = {
  question: RoleQuestion | null;
  onAnswer: (isYes: boolean) => void;
  isAnswering: boolean;
};

/** Says what is lost with a role, and asks. */
export function ConfirmRoleDialog({ question, onAnswer, isAnswering }: ConfirmRoleDialogProps) {
  // Keeps its words while it closes.
  const last = useRef(question);
  if (question) last.current = question;
  const { user, role, lessonsAhead } = last.current ?? {};
  const name = user?.fullName;
  const asked = {
    open: question !== null,
    onOpenChange: () => onAnswer(false),
    onConfirm: () => onAnswer(true),
    isPending: isAnswering,
    isDestructive: true,
  };
  if (role === 'admin') {
    return (
      <ConfirmDialog
        {...asked}
        title="Give up your own admin role?"
        confirmLabel="Give up admin role"
        cancelLabel="Stay admin"
        pendingLabel="Giving up..."
      >
        <p>This page closes for you at once. Only another admin can give the role back to you.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      {...asked}
      title={`Take the coach role from ${name}?`}
      confirmLabel="Take coach role"
      cancelLabel="Keep coach role"
      pendingLabel="Taking..."
    >
      <p>
        {name} has {lessonsAhead === 1 ? '1 booked lesson' : `${lessonsAhead} booked lessons`} ahead. They
        stay booked and paid, and the customers are not told.
      </p>
      <p>
        {name} disappears from discover and can no longer open the coach’s pages. To call the lessons off with
        full refunds, keep the role until they are cancelled.
      </p>
    </ConfirmDialog>
  );
}
