import { expect, test } from 'vitest';
import { auditKinds, describeAction, subjectTypesOf } from './audit-labels.ts';

test('says what was done in words', () => {
  expect(describeAction('role.granted')).toBe('Role granted');
  expect(describeAction('sign_in.new_device')).toBe('Sign in new device');
  expect(describeAction('')).toBe('');
});

test('gives every kind of the audit log subjects of its own', () => {
  const types = auditKinds.flatMap((kind) => subjectTypesOf[kind]);
  expect(new Set(types).size).toBe(types.length);
});
