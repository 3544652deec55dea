import { expect, test } from 'vitest';
import { createAddressLimit } from './address-limit.ts';

function openLimit() {
  let nowMs = 0;
  const refuse = createAddressLimit(() => nowMs);
  const countAllowed = (ipAddress: string, requests: number) => {
    let allowed = 0;
    for (let n = 0; n < requests; n += 1) {
      try {
        refuse(ipAddress);
        allowed += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'too_many_requests' });
      }
    }
    return allowed;
  };
  return {
    countAllowed,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('allows a burst of a hundred requests, then ten a second', () => {
  const { countAllowed, pass } = openLimit();
  expect(countAllowed('203.0.113.7', 200)).toBe(100);
  expect(countAllowed('198.51.100.9', 5)).toBe(5);
  // Refused requests count too: 1.1 s restores 11 requests, but the refused requests use one of them.
  pass(1_100);
  expect(countAllowed('203.0.113.7', 200)).toBe(10);
  pass(3_600_000);
  expect(countAllowed('203.0.113.7', 200)).toBe(100);
});

test('never refuses requests from the local machine', () => {
  const { countAllowed } = openLimit();
  for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(countAllowed(own, 300)).toBe(300);
});
