import type { APIRequestContext } from '@playwright/test';
import { call, openCustomer, openSession, type Person } from './club.ts';

/** A new coach for this test, so that nobody else's lessons are in the calendar. */
export async function openCoach(request: APIRequestContext, fullName = 'Cara Coach'): Promise<Person> {
  const person = await openCustomer(request, { card: null, fullName });
  const email = 'admin@demo.test';
  const admin = { email, fullName: '', session: await openSession(request, email) };
  const { id } = person.session.user as { id: string };
  await call(request, admin, 'PUT', `/api/admin/users/${id}/roles/coach`, { isHeld: true });
  return person;
}

type Start = { date: string; hour: number; minute?: number };
type Slot = { slotId: string; title: string; startTime: string; endTime: string; priceCents: number };

/** Publishes one lesson of a new template of this coach at a London wall time. */
export async function publishAt(
  request: APIRequestContext,
  coach: Person,
  { date, hour, minute = 0 }: Start,
  {
    title = 'Junior tennis',
    minutes = 60,
    seats = 1,
    sport = 'tennis',
    priceCents = 0,
  }: { title?: string; minutes?: number; seats?: number; sport?: string; priceCents?: number } = {},
): Promise<Slot> {
  const { template } = await call<{ template: { templateId: string } }>(
    request,
    coach,
    'POST',
    '/api/coach/templates',
    {
      title,
      sport,
      durationMinutes: minutes,
      basePriceCents: priceCents,
      lessonType: seats === 1 ? 'individual' : 'group',
      minCapacity: seats === 1 ? 1 : 2,
      maxCapacity: seats,
    },
  );
  const { slots } = await call<{ slots: Slot[] }>(request, coach, 'POST', '/api/coach/slots', {
    templateId: template.templateId,
    mode: 'dates',
    startDate: date,
    hour,
    minute,
  });
  return slots[0]!;
}
