import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { TeamMember } from '#domain/businesses/contract.ts';
import { LeaveTeam } from './leave-team.tsx';

const me = { coachId: 'me', businessRole: 'owner', isActive: true } as TeamMember;
const former = { ...me, coachId: 'former', isActive: false };
const employee = { ...me, coachId: 'employee', businessRole: 'employee' } as TeamMember;

const shownTo = (members: TeamMember[]) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <LeaveTeam businessName="Ace Tennis" me={me} members={members} />
    </QueryClientProvider>,
  );

test('says why the business ends: no other owner, or none who is a coach', () => {
  const rest = 'If you leave, the business ends.';
  expect(shownTo([me, employee])).toContain(`You&#x27;re the only owner. ${rest}`);
  expect(shownTo([me, former, employee])).toContain(
    `You&#x27;re the only owner who is currently a coach. ${rest}`,
  );
});
