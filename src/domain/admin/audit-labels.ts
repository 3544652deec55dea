/** The kinds of entry by which the audit log can be filtered. */
export const auditKinds = ['people', 'settings', 'payouts', 'bookings', 'lessons'] as const;
export type AuditKind = (typeof auditKinds)[number];

/** The subject types that each filter shows. Entries of other types appear only in the unfiltered log. */
export const subjectTypesOf: Record<AuditKind, readonly string[]> = {
  people: [
    'profile',
    'coach',
    'business',
    'team_member',
    'team_invitation',
    'coach_application',
    'audit_log',
    'picture',
    'participant',
    'welfare_concern',
    'coach_document',
    'calendar_feed',
  ],
  settings: ['setting'],
  payouts: ['payrun', 'bank_details', 'export'],
  bookings: ['booking', 'payment', 'refund', 'refund_request', 'review'],
  lessons: ['lesson_template', 'lesson_slot', 'location'],
};

/** "role.granted" → "Role granted". */
export function describeAction(action: string): string {
  const words = action.replace(/[._-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
