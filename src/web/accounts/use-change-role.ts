import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Role, roles } from '#domain/access.ts';
import { accountsApi, type ListedUser } from '#domain/accounts/contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import type { AppError } from '#domain/errors.ts';
import { keyOf, useApiMutation } from '#web/app/api.ts';
import { useAuth } from '#web/app/auth-provider.tsx';
import { roleNames } from '#web/app/person-line.tsx';
import { toastError, toastSuccess } from '#web/ui/toaster.tsx';

/** What an admin is asked before a role goes: their own admin role, or a coach's who has booked lessons ahead. */
export type RoleQuestion = { user: ListedUser; role: Role; lessonsAhead: number };

type Pages = InfiniteData<OutputOf<typeof accountsApi.listUsers>, string | undefined>;

/** Switches roles of listed users one at a time, asking first where something would be lost. */
export function useChangeRole(ownUserId: string | undefined) {
  const client = useQueryClient();
  const { refreshProfile } = useAuth();
  const change = useApiMutation(accountsApi.changeRole, { invalidates: [accountsApi.listAudit] });
  const [question, setQuestion] = useState<RoleQuestion | null>(null);

  function save(user: ListedUser, role: Role, isHeld: boolean, expectedLessons = 0) {
    change.mutate(
      { userId: user.userId, role, isHeld, expectedLessons },
      {
        onSuccess: ({ user: changed }) => {
          setQuestion(null);
          client.setQueriesData<Pages>({ queryKey: keyOf(accountsApi.listUsers) }, (known) =>
            known ? withUser(known, changed) : known,
          );
          toastSuccess(
            isHeld ? 'Role added' : 'Role removed',
            `${user.fullName}: ${changed.roles.map((held) => roleNames[held]).join(', ') || 'no role'}`,
          );
          if (user.userId === ownUserId) void refreshProfile();
        },
        onError: (error) => {
          const lessonsAhead = readLessonsAhead(error);
          setQuestion(lessonsAhead ? { user, role, lessonsAhead } : null);
          if (!lessonsAhead) toastError(error.message);
        },
      },
    );
  }

  return {
    /** Makes the one difference between what a user holds and what is wanted. */
    toggle(user: ListedUser, wanted: Role[]) {
      const role = roles.find((one) => wanted.includes(one) !== user.roles.includes(one));
      if (!role || change.isPending) return;
      const isHeld = wanted.includes(role);
      if (role === 'admin' && !isHeld && user.userId === ownUserId) {
        setQuestion({ user, role, lessonsAhead: 0 });
      } else save(user, role, isHeld);
    },
    pendingUserId: change.isPending ? change.variables.userId : null,
    question,
    answer(isYes: boolean) {
      if (isYes && question) save(question.user, question.role, false, question.lessonsAhead);
      else setQuestion(null);
    },
    isAnswering: change.isPending,
  };
}

function readLessonsAhead({ details }: AppError): number {
  return typeof details?.lessonsAhead === 'number' ? details.lessonsAhead : 0;
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
