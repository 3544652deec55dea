import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Role, roleNames, roles } from '#domain/access.ts';
import { adminApi, type ListedUser, type RoleObstacles } from '#domain/admin/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { keyOf } from '#web/app/api/api.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

/**
 * A change that an admin must confirm: granting or revoking the admin role, revoking the coach role of a coach who has
 * upcoming lessons or is a business's only owner, or revoking the customer role of a customer who has upcoming lessons
 * or pending refunds.
 */
export type RoleQuestion = { user: ListedUser; role: Role; isHeld: boolean } & RoleObstacles;

/** The details that the admin confirmed: the numbers shown, and the new owner of the business. */
type Assurance = { expectedLessons?: number; expectedRefundCents?: number; successorId?: string | null };

type Pages = InfiniteData<OutputOf<typeof adminApi.listUsers>, string | undefined>;

/** Grants and revokes roles of listed users, one at a time; asks first if the change is a {@link RoleQuestion}. */
export function useChangeRole(ownUserId: string | undefined) {
  const client = useQueryClient();
  const { refreshProfile } = useAuth();
  const change = useApiMutation(adminApi.changeRole, { invalidates: [adminApi.listAudit] });
  const question = useDialogItem<RoleQuestion>();

  function save(user: ListedUser, role: Role, isHeld: boolean, assured: Assurance = {}) {
    change.mutate(
      { userId: user.userId, role, isHeld, ...assured },
      {
        onSuccess: ({ user: changed }) => {
          question.close();
          showChange(client, changed);
          toastSuccess(
            isHeld ? 'Role added' : 'Role removed',
            `${user.fullName}: ${changed.roles.map((held) => roleNames[held]).join(', ') || 'no role'}`,
          );
          if (user.userId === ownUserId) void refreshProfile();
        },
        onError: (error) => {
          const obstacles = readObstacles(error);
          if (obstacles) return question.open({ user, role, isHeld, ...obstacles });
          question.close();
          toastError(error.message);
        },
      },
    );
  }

  return {
    /** Grants or revokes the single role in which `next` differs from the user's roles. */
    toggle(user: ListedUser, next: Role[]) {
      const role = roles.find((one) => next.includes(one) !== user.roles.includes(one));
      if (!role || change.isPending) return;
      const isHeld = next.includes(role);
      if (role === 'admin')
        question.open({ user, role, isHeld, lessonsAhead: 0, refundCents: 0, business: null });
      else save(user, role, isHeld);
    },
    pendingUserId: change.isPending ? change.variables.userId : null,
    question,
    /** `successorId` is null if nobody can take over the business. */
    confirm(successorId: string | null) {
      if (!question.item) return;
      const { user, role, isHeld, lessonsAhead, refundCents, business } = question.item;
      save(user, role, isHeld, {
        expectedLessons: lessonsAhead,
        expectedRefundCents: refundCents,
        ...(business && { successorId }),
      });
    },
    isAnswering: change.isPending,
  };
}

function readObstacles({ code, details }: AppError): RoleObstacles | null {
  return code === 'conflict' && details && 'lessonsAhead' in details ? (details as RoleObstacles) : null;
}

/** Updates the user in every cached list. Requests sent before the change are cancelled and repeated. */
function showChange(client: QueryClient, changed: ListedUser): void {
  const queryKey = keyOf(adminApi.listUsers);
  const asked = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  void client.cancelQueries({ queryKey });
  client.setQueriesData<Pages>({ queryKey }, (known) => known && withUser(known, changed));
  void client.invalidateQueries({ queryKey, predicate: (query) => asked.includes(query) });
}

function withUser(known: Pages, changed: ListedUser): Pages {
  return {
    ...known,
    pages: known.pages.map((page) => ({
      ...page,
      users: page.users.map((user) => (user.userId === changed.userId ? changed : user)),
    })),
  };
}
