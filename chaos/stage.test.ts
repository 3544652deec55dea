import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { UndocumentedRefusal } from '#server/test-support/contract-client.test-support.ts';
import { answerOf } from './stage.ts';

test('counts an undocumented refusal as a response and a lost connection as none', () => {
  const error = { code: 'selection_changed', message: 'The bookings have changed.' } as const;
  const refused = answerOf(new UndocumentedRefusal(bookingsApi.listMine, 409, error));
  expect(refused).toEqual({ status: 409, body: undefined, error });
  expect(answerOf(new TypeError('fetch failed'))).toEqual({ status: 0, body: undefined, error: undefined });
});
