import type { Role } from './access.ts';

/**
 * The kinds of change by topic, each with the operation ids of the calls whose results may have changed. A page repeats
 * the calls whose results it shows. A person joins `user:{id}` and `coach:{id}` with their own id. The SQL function
 * `record_change` writes these names (migrations/0010_changes.sql and later). A message carries the kind and an id,
 * never content.
 */
export const changeKinds = {
  user: {
    application: ['get_coach_application'],
    bookings: [
      'list_my_bookings',
      'get_my_booking',
      'get_my_stats',
      'list_held_slots',
      'list_my_coaches',
      'get_deletion',
    ],
    card: ['get_payment_method', 'get_profile'],
    notifications: ['list_notifications', 'count_notifications'],
    profile: ['get_profile', 'get_coach_profile', 'list_first_steps'],
    reviews: ['list_own_reviews', 'get_own_review', 'get_review_decision'],
    session: ['list_sessions'],
    progress: ['get_progress'],
  },
  coach: {
    slots: [
      'list_coach_slots',
      'get_coach_slot',
      'list_attendees',
      'list_announcements',
      'preview_cancel_day',
      'get_earnings',
      'list_earnings',
      'list_waiting_payouts',
      'get_lesson_notes',
      'list_first_steps',
    ],
    progress: ['get_lesson_notes', 'get_taught_progress'],
    earnings: [
      'get_earnings',
      'list_earnings',
      'list_waiting_payouts',
      'list_payments',
      'get_statement',
      'get_bank_details',
      'list_first_steps',
    ],
    reviews: ['list_reviews_about_me'],
    documents: ['get_my_documents', 'list_uncovered_lessons', 'list_first_steps'],
  },
  admin: {
    overview: ['get_overview', 'get_admin_home'],
    payable: [
      'admin_list_payable_bookings',
      'admin_list_payable_coaches',
      'preview_payrun',
      'list_disputes',
      'get_dispute',
      'get_admin_home',
    ],
    payruns: ['list_payruns', 'get_payrun', 'list_payrun_lines', 'get_admin_home'],
    people: ['list_users', 'get_overview', 'get_admin_home'],
    refunds: [
      'list_failed_refunds',
      'list_refund_requests',
      'get_desk_booking',
      'get_overview',
      'get_admin_home',
    ],
    pictures: ['list_reported_pictures'],
    documents: ['list_waiting_documents', 'list_coach_checks', 'get_coach_documents', 'get_admin_home'],
    reviews: ['list_review_cases', 'get_review_case', 'get_admin_home'],
    applications: ['list_coach_applications', 'admin_get_coach_application', 'get_admin_home'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

export type PrivateTopic = keyof typeof changeKinds;

/** The role that a person needs to join a private topic; null for none. */
export const roleOfTopic: Record<PrivateTopic, Role | null> = { user: null, coach: 'coach', admin: 'admin' };

/** The operation ids of a kind of change, or of all the topic's kinds; `topic` is a name such as `user:{id}`. */
export function listCalls(topic: string, kind?: string): string[] {
  const kinds: Record<string, readonly string[]> = changeKinds[topic.split(':')[0] as PrivateTopic] ?? {};
  return kind === undefined ? Object.values(kinds).flat() : [...(kinds[kind] ?? [])];
}
