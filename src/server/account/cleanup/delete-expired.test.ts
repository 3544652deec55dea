import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { businessesApi } from '#domain/businesses/contract.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { findTables } from '../find-text.test-support.ts';
import { personalData } from '../personal-data.ts';
import { deleteExpired } from './delete-expired.ts';

const app = setUpTestApp();
const findText = (text: string) => findTables(app.db, text);

test('deletes only rows whose retention period has ended, in batches', async () => {
  const person = await app.signIn('coach');
  await app.call(person, businessesApi.saveBusiness, { businessName: 'Lasting Tennis' });
  const { businessId } = await app.db
    .selectFrom('coaches')
    .select('businessId')
    .where('coachId', '=', person.userId)
    .executeTakeFirstOrThrow();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (const [name, days] of [
    ['old', 1],
    ['young', -1],
  ] as const) {
    const invitation = { businessId: businessId!, invitedBy: person.userId, tokenHash: Buffer.from(name) };
    const at = daysAgo(90 + days);
    await app.db
      .insertInto('businessInvitations')
      .values({
        ...invitation,
        email: `${name}@retention.example`,
        expiresAt: at,
        status: 'declined',
        decidedAt: at,
      })
      .execute();
    await app.db
      .insertInto('users')
      .values({ email: `${name}@sign-up.example`, passwordHash: '-', createdAt: daysAgo(30 + days) })
      .execute();
    await app.db
      .insertInto('auditLog')
      .values({
        ...{ action: `${name}.event`, actorSystem: 'test', subjectType: 'profile', subjectId: person.userId },
        at: daysAgo(6 * 366 + days * 30),
      })
      .execute();
    const event = { eventId: `evt_${name}`, eventType: 'test', objectId: 'pi_1', handledAt: at };
    await app.db
      .insertInto('webhookEvents')
      .values({ ...event, receivedAt: at })
      .execute();
  }
  const waiting = { eventId: 'evt_unhandled', eventType: 'test', objectId: 'pi_1', receivedAt: daysAgo(400) };
  await app.db.insertInto('webhookEvents').values(waiting).execute();
  await sql`insert into rate_limits (key, calls, expires_at_ms) select 'old:' || n, 1, 1 from generate_series(1, 2500) n`.execute(
    app.db,
  );

  await enqueue(app.db, 'account.cleanup', {});
  await eventually(async () => {
    const left = await app.db.selectFrom('webhookEvents').select('eventId').execute();
    return !left.some(({ eventId }) => eventId === 'evt_old');
  });
  await eventually(async () => (await findText('evt_unhandled')).length > 0);
  for (const trace of ['old@retention.example', 'old@sign-up.example', 'old.event', 'evt_old', 'old:1']) {
    await eventually(async () => (await findText(trace)).length === 0);
  }
  for (const trace of ['young@retention.example', 'young@sign-up.example', 'young.event', 'evt_young']) {
    expect(await findText(trace), trace).toHaveLength(1);
  }
  const young = app.db.deleteFrom('auditLog').where('action', '=', 'young.event');
  await expect(young.execute()).rejects.toThrow('audit_log is append-only');
  const { rows: plan } = await app.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    return sql<{ queryPlan: string }>`explain select from refresh_tokens
      where ${personalData.refreshTokens.retention.isOver!}`.execute(tx);
  });
  expect(JSON.stringify(plan)).toContain('refresh_tokens_used');
});

test('deletes unsent messages in batches, 30 days after their last attempt', async () => {
  const add = (to: string, count: number) =>
    sql`with added as (
        select (graphile_worker.add_job('notifications.send', json_build_object('to', ${to}::text),
          run_at => now() + interval '1 day')).id
        from generate_series(1, ${sql.lit(count)}))
      select count(*) from added`.execute(app.db);
  const fail = (to: string, days: number) =>
    sql`update graphile_worker._private_jobs set attempts = max_attempts,
        updated_at = now() - interval '1 day' * ${sql.lit(days)}
      where payload ->> 'to' = ${to}`.execute(app.db);
  for (const [to, count, days] of [
    ['old@unsent.example', 2_500, 31],
    ['young@unsent.example', 1, 29],
  ] as const) {
    await add(to, count);
    await fail(to, days);
  }
  await deleteExpired(app.db);
  const { rows } = await sql<{ to: string; count: number }>`
    select payload ->> 'to' as to, count(*)::integer from graphile_worker._private_jobs
    where payload ->> 'to' like '%@unsent.example' group by 1`.execute(app.db);
  expect(rows).toEqual([{ to: 'young@unsent.example', count: 1 }]);
});
