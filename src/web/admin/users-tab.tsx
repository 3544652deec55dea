import { type Role, roleNames, roles } from '#domain/access.ts';
import { adminApi, type ListedUser } from '#domain/admin/contract.ts';
import { formatDay } from '#domain/time.ts';
import { usePages } from '#web/app/api/use-pages.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { ToggleGroup } from '#web/ui/form/toggle-group.tsx';
import { TypedFilter } from '#web/ui/form/typed-filter.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { PagedList } from '#web/ui/page/paged-list.tsx';
import { SkeletonRows } from '#web/ui/page/skeleton.tsx';
import { Table, Td, Th } from '#web/ui/table.tsx';
import { ConfirmRoleDialog } from './confirm-role-dialog.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';
import { useChangeRole } from './use-change-role.ts';

type UsersTabProps = {
  search: string | undefined;
  role: Role | undefined;
  onFilter: (change: { search?: string | undefined; role?: Role | undefined }) => void;
};

const roleOptions = roles.map((role) => ({ value: role, label: roleNames[role] }));

/** Everyone with a profile, newest first, with buttons to grant and revoke roles and to sign people out. */
export function UsersTab({ search, role, onFilter }: UsersTabProps) {
  const { profile } = useAuth();
  const found = usePages(adminApi.listUsers, { search, role }, (page) => page.users, {
    keepsPrevious: true,
  });
  const { toggle, pendingUserId, question, confirm, isAnswering } = useChangeRole(profile?.userId);
  const leaving = useDialogItem<ListedUser>();
  const isFiltered = Boolean(search || role);
  return (
    <>
      <search className="mb-4 grid gap-3 sm:grid-cols-[1fr_12rem]">
        <TypedFilter
          label="Search by name or email"
          maxLength={100}
          isLabelHidden
          value={search}
          onSettled={(typed) => onFilter({ search: typed })}
        />
        <FormField label="Role" isLabelHidden>
          <Select
            value={role ?? ''}
            onChange={({ target }) => onFilter({ role: roles.find((known) => known === target.value) })}
          >
            <option value="">All roles</option>
            {roleOptions.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </FormField>
      </search>
      <PagedList
        found={found}
        skeleton={<SkeletonRows count={8} label="Loading users..." />}
        failure="Failed to load users"
        empty={
          <EmptyState
            title="No people match this search"
            action={
              isFiltered && (
                <Button variant="secondary" onClick={() => onFilter({ search: undefined, role: undefined })}>
                  Show everyone
                </Button>
              )
            }
          >
            Try part of a name or email address{role ? ', or all roles' : ''}.
          </EmptyState>
        }
        more="Show more users"
      >
        {(users) => (
          <Table label="Users" isStacked aria-busy={found.isPlaceholderData || undefined}>
            <thead>
              <tr>
                <Th>Name</Th>
                <Th>Joined</Th>
                <Th className="w-px">Roles</Th>
                <Th className="w-px">Sign-ins</Th>
              </tr>
            </thead>
            <tbody>
              {users.map((user) => (
                <UserRow
                  key={user.userId}
                  user={user}
                  isOwn={user.userId === profile?.userId}
                  isPending={user.userId === pendingUserId}
                  onToggle={(next) => toggle(user, next)}
                  onSignOut={() => leaving.open(user)}
                />
              ))}
            </tbody>
          </Table>
        )}
      </PagedList>
      <ConfirmRoleDialog
        question={question}
        ownUserId={profile?.userId}
        onConfirm={confirm}
        isAnswering={isAnswering}
      />
      {leaving.item && <SignOutDialog user={leaving.item} isOpen={leaving.isOpen} onClose={leaving.close} />}
    </>
  );
}

type UserRowProps = {
  user: ListedUser;
  isOwn: boolean;
  /** True while a change to the user's roles is being saved. */
  isPending: boolean;
  onToggle: (next: Role[]) => void;
  onSignOut: () => void;
};

function UserRow({ user, isOwn, isPending, onToggle, onSignOut }: UserRowProps) {
  return (
    <tr>
      <Td>
        <span className="flex min-w-0 items-center gap-3">
          <Avatar name={user.fullName} size="sm" />
          <span className="min-w-0">
            <span className="block font-medium wrap-anywhere">
              {user.fullName}
              {isOwn && <span className="font-normal text-muted-foreground"> (you)</span>}
            </span>
            <span className="block text-muted-foreground wrap-anywhere">{user.email}</span>
          </span>
        </span>
      </Td>
      <Td label="Joined" className="whitespace-nowrap">
        {formatDay(user.createdAt, Date.now())}
      </Td>
      <Td>
        <ToggleGroup<Role>
          label={`Roles of ${user.fullName}`}
          isQuiet
          className="md:flex-nowrap"
          value={user.roles}
          options={roleOptions}
          isBusy={isPending}
          onValueChange={onToggle}
        />
      </Td>
      <Td label="Sign-ins" className={isOwn ? 'max-md:hidden' : undefined}>
        {!isOwn && (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Sign out ${user.fullName} everywhere`}
            onClick={onSignOut}
          >
            Sign out
          </Button>
        )}
      </Td>
    </tr>
  );
}
