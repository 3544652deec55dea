import { expect, test } from 'vitest';
import { auditKinds, describeAction, subjectTypesOf } from './audit-labels.ts';

test('turns the name of an action into a label', () => {
  expect(describeAction('role.granted')).toBe('Role granted');
  expect(describeAction('sign_in.new_device')).toBe('Sign in new device');
  expect(describeAction('')).toBe('');
});

test('lists each subject type under one kind only', () => {
  const types = auditKinds.flatMap((kind) => subjectTypesOf[kind]);
  expect(new Set(types).size).toBe(types.length);
});
