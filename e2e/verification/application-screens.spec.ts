import { applicationQueueApi, applicationsApi } from '#domain/verification/applications-contract.ts';
import { call } from '../support/api.ts';
import { applyAsCoach } from '../support/applications.ts';
import { expect, test } from '../support/fixtures.ts';
import { inspect } from '../support/inspection.ts';
import { becomePerson, openCoach, openCustomer, openDemo } from '../support/people.ts';
import { inspectOver, open } from '../support/screens.ts';

test('has no serious axe violations or overflow on screens for new coaches [NAV-9b, NAV-9d, UX-5a]', async ({
  page,
}) => {
  const person = await openCustomer({ card: null, fullName: 'Sana Screens' });
  await becomePerson(page, person);
  await open(page, '/become-a-coach', 'Headline');
  await inspect(page, 'empty application');
  await page.getByRole('button', { name: 'Submit application' }).click();
  await expect(page.getByText('Choose at least one sport.')).toBeVisible();
  await inspect(page, 'application with what is missing');

  await applyAsCoach(person);
  await open(page, '/become-a-coach', 'Submitted');
  await inspect(page, 'application submitted');
  await inspectOver(page, 'withdraw application', 'Withdraw application');
  const decisions = [
    ['changes', 'Please say where.', 'Submit again'],
    ['decline', 'Too many coaches.', 'Apply again'],
  ] as const;
  for (const [decision, message, text] of decisions) {
    await call(person, applicationsApi.submit, {});
    const { applicationId, submittedAt } = (await call(person, applicationsApi.getOwn, {})).application!;
    await call(await openDemo('admin@demo.test'), applicationQueueApi.decide, {
      ...{ applicationId, decision, message },
      submittedAt: submittedAt!,
    });
    await open(page, '/become-a-coach', text);
    await inspect(page, `application: ${decision}`);
  }
  await becomePerson(page, await openCoach('Nell New'));
  await open(page, '/become-a-coach', 'Open your calendar');
  await inspect(page, 'application of a coach');
  await open(page, '/coach/calendar', 'Your first steps');
  await inspect(page, 'first steps');
});
