/**
 * How people are notified. The app's own list (`inApp`) shows a notification immediately; the other channels deliver it
 * to an email address or to browsers.
 */
export const channels = {
  inApp: { label: 'In the app', deliversToAddress: false },
  email: { label: 'Email', deliversToAddress: true },
  push: { label: 'Push', deliversToAddress: true },
} as const;
export type NotificationChannel = keyof typeof channels;
export const channelNames = Object.keys(channels) as [NotificationChannel, ...NotificationChannel[]];

/** A channel that delivers to an address, so a delivery can fail. */
export type DeliveryChannel = Exclude<NotificationChannel, 'inApp'>;
/** `on` and `off` are defaults that the person can change; `always` and `never` cannot be changed. */
export type ChannelRule = 'always' | 'on' | 'off' | 'never';

/** The groups of kinds, with their headings: one for each role of the recipient, and one for everyone. */
export const audiences = {
  customer: 'Your bookings',
  coach: 'Coaching',
  admin: 'Admin',
  all: 'Your account',
} as const;
export type Audience = keyof typeof audiences;

type KindEntry = {
  audience: Audience;
  /** The label in the list of preferences: "A lesson you booked is cancelled". */
  label: string;
  /** The push message's title. It names nobody: push passes through other companies and appears on locked screens. */
  pushTitle: string;
  rules: Record<NotificationChannel, ChannelRule>;
  /** Why a channel is always on, as a sentence. */
  lockedBecause?: string;
  /** Whether push is sent with high urgency, and ignores quiet hours if its lesson starts within 12 hours. */
  isUrgent?: true;
  /** Whether emails of this kind offer one-click unsubscribe (RFC 8058). */
  hasUnsubscribe?: true;
  /** Whether the coach and the admins are notified if the email cannot be delivered. */
  mustReach?: true;
};

const receipt = 'We always email receipts.';
const lesson = 'We always email you when a lesson is cancelled or changed, to save you a wasted journey.';
const money = 'We always email you about money.';
const documents = 'We always email you about documents that decide whether your lessons can be booked.';
const security = 'We always email you about the security of your account.';
const listed = "We always show this in the app, so that it isn't missed.";

/**
 * Every kind of notification. Types, preferences, defaults, quiet hours, unsubscribing and docs/notifications.md are
 * derived from this record. Emails about signing in are not notifications: they are sent to an address immediately.
 */
export const kinds = {
  booked: {
    audience: 'customer',
    label: 'You book a lesson',
    pushTitle: 'Lesson booked',
    rules: { inApp: 'on', email: 'always', push: 'off' },
    lockedBecause: receipt,
  },
  lesson_cancelled: {
    audience: 'customer',
    label: 'A lesson you booked is cancelled',
    pushTitle: 'Lesson cancelled',
    rules: { inApp: 'always', email: 'always', push: 'on' },
    lockedBecause: lesson,
    isUrgent: true,
    mustReach: true,
  },
  lesson_moved: {
    audience: 'customer',
    label: 'A lesson you booked moves to another time',
    pushTitle: 'New time',
    rules: { inApp: 'always', email: 'always', push: 'on' },
    lockedBecause: lesson,
    isUrgent: true,
    mustReach: true,
  },
  lesson_relocated: {
    audience: 'customer',
    label: 'A lesson you booked moves to another location',
    pushTitle: 'New location',
    rules: { inApp: 'always', email: 'always', push: 'on' },
    lockedBecause: lesson,
    isUrgent: true,
    mustReach: true,
  },
  lesson_changed: {
    audience: 'customer',
    label: 'The title, sport or description of a lesson you booked changes',
    pushTitle: 'Lesson changed',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: lesson,
    mustReach: true,
  },
  refund: {
    audience: 'customer',
    label: 'A refund is made, delayed or settled',
    pushTitle: 'About your refund',
    rules: { inApp: 'on', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  guardian_booked: {
    audience: 'customer',
    label: 'Another guardian books a lesson for someone you look after',
    pushTitle: 'Lesson booked',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  reminder_day: {
    audience: 'customer',
    label: 'Reminder 24 hours before a lesson',
    pushTitle: 'Reminder',
    rules: { inApp: 'on', email: 'on', push: 'on' },
    hasUnsubscribe: true,
  },
  reminder_hours: {
    audience: 'customer',
    label: 'Reminder 2 hours before a lesson',
    pushTitle: 'Reminder',
    rules: { inApp: 'on', email: 'off', push: 'on' },
    hasUnsubscribe: true,
  },
  announcement: {
    audience: 'customer',
    label: 'A coach writes to everyone who booked a lesson',
    pushTitle: 'Announcement from your coach',
    rules: { inApp: 'on', email: 'on', push: 'on' },
    hasUnsubscribe: true,
  },
  note_shared: {
    audience: 'customer',
    label: 'A coach writes a note after a lesson',
    pushTitle: 'A note from your coach',
    rules: { inApp: 'on', email: 'on', push: 'on' },
    hasUnsubscribe: true,
  },
  card_expiring: {
    audience: 'customer',
    label: 'Your saved card expires soon',
    pushTitle: 'Your saved card expires soon',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  age_answer: {
    audience: 'customer',
    label: 'A coach answers a request to join outside the age range',
    pushTitle: 'Your coach has answered',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  review_invitation: {
    audience: 'customer',
    label: 'You can review a lesson',
    pushTitle: 'How was your lesson?',
    rules: { inApp: 'on', email: 'on', push: 'off' },
    hasUnsubscribe: true,
  },
  review_published: {
    audience: 'customer',
    label: 'Your review is published',
    pushTitle: 'Your review is published',
    rules: { inApp: 'on', email: 'off', push: 'off' },
  },
  new_review: {
    audience: 'coach',
    label: 'You get a review',
    pushTitle: 'You have a new review',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  new_booking: {
    audience: 'coach',
    label: 'A customer books a lesson',
    pushTitle: 'New booking',
    rules: { inApp: 'on', email: 'off', push: 'on' },
  },
  customer_cancelled: {
    audience: 'coach',
    label: 'A customer cancels a booking',
    pushTitle: 'Booking cancelled',
    rules: { inApp: 'on', email: 'on', push: 'on' },
  },
  booking_changed: {
    audience: 'coach',
    label: 'An admin cancels or moves a booking, or marks attendance, in one of your lessons',
    pushTitle: 'A booking was changed',
    rules: { inApp: 'on', email: 'on', push: 'on' },
  },
  booking_refunded: {
    audience: 'coach',
    label: 'An admin makes a refund that lowers your earnings',
    pushTitle: 'A refund lowers your earnings',
    rules: { inApp: 'on', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  consent_reduced: {
    audience: 'coach',
    label: 'A family withdraws a consent before a lesson',
    pushTitle: 'A consent was withdrawn',
    rules: { inApp: 'always', email: 'always', push: 'on' },
    lockedBecause: 'We always email you about consents, because they take effect immediately.',
    isUrgent: true,
  },
  age_request: {
    audience: 'coach',
    label: 'Someone outside the age range asks to join your lessons',
    pushTitle: 'A request to join your lessons',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  tomorrow: {
    audience: 'coach',
    label: "Tomorrow's lessons, at 18:00",
    pushTitle: "Tomorrow's lessons",
    rules: { inApp: 'on', email: 'on', push: 'off' },
    hasUnsubscribe: true,
  },
  not_reached: {
    audience: 'coach',
    label: "A customer couldn't be reached about a changed lesson",
    pushTitle: "A customer couldn't be reached",
    rules: { inApp: 'always', email: 'on', push: 'on' },
    lockedBecause: listed,
  },
  paid_out: {
    audience: 'coach',
    label: 'You are paid',
    pushTitle: "You've been paid",
    rules: { inApp: 'on', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  payout_returned: {
    audience: 'coach',
    label: 'A payment to you is returned by the bank',
    pushTitle: 'A payment to you was returned',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  dispute_booked: {
    audience: 'coach',
    label: 'A lost dispute is deducted from your earnings',
    pushTitle: 'A disputed payment was lost',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  fee_changed: {
    audience: 'coach',
    label: 'The platform fee changes',
    pushTitle: 'The platform fee changes',
    rules: { inApp: 'on', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  bank_details_changed: {
    audience: 'coach',
    label: 'Your bank details change',
    pushTitle: 'Your bank details were changed',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: security,
  },
  invitation_answered: {
    audience: 'coach',
    label: 'Someone answers your team invitation',
    pushTitle: 'Your invitation was answered',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  team_changed: {
    audience: 'coach',
    label: 'Your place in a team changes',
    pushTitle: 'Your team has changed',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  picture_removed: {
    audience: 'coach',
    label: 'An admin removes one of your pictures',
    pushTitle: 'A picture was removed',
    rules: { inApp: 'always', email: 'on', push: 'off' },
    lockedBecause: listed,
  },
  document_decided: {
    audience: 'coach',
    label: 'An admin accepts or declines one of your checks or documents',
    pushTitle: 'About your documents',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: documents,
  },
  document_ending: {
    audience: 'coach',
    label: "One of your documents, or a team member's, ends soon",
    pushTitle: 'A document ends soon',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  lessons_hidden: {
    audience: 'coach',
    label: "Your lessons, or a team member's, can't be booked because a document is missing or has ended",
    pushTitle: "Lessons can't be booked",
    rules: { inApp: 'always', email: 'always', push: 'on' },
    lockedBecause: documents,
  },
  lessons_listed: {
    audience: 'coach',
    label: "Your lessons, or a team member's, can be booked again",
    pushTitle: 'Lessons can be booked again',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  dispute: {
    audience: 'admin',
    label: 'A payment is disputed',
    pushTitle: 'A payment is disputed',
    rules: { inApp: 'always', email: 'on', push: 'off' },
    lockedBecause: listed,
  },
  refund_failed: {
    audience: 'admin',
    label: 'A refund fails',
    pushTitle: 'A refund failed',
    rules: { inApp: 'always', email: 'on', push: 'off' },
    lockedBecause: listed,
  },
  refund_waiting: {
    audience: 'admin',
    label: 'A refund needs a second admin',
    pushTitle: 'A refund needs a second admin',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  customer_not_reached: {
    audience: 'admin',
    label: "A customer couldn't be reached about a changed lesson",
    pushTitle: "A customer couldn't be reached",
    rules: { inApp: 'always', email: 'off', push: 'off' },
    lockedBecause: listed,
  },
  picture_reported: {
    audience: 'admin',
    label: 'A picture is reported',
    pushTitle: 'A picture was reported',
    rules: { inApp: 'always', email: 'on', push: 'off' },
    lockedBecause: listed,
  },
  document_waiting: {
    audience: 'admin',
    label: 'A coach submits a document',
    pushTitle: 'A document to check',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  coach_hidden: {
    audience: 'admin',
    label: "Coaches' lessons can't be booked because a document is missing or has ended",
    pushTitle: "A coach's lessons can't be booked",
    rules: { inApp: 'always', email: 'on', push: 'off' },
    lockedBecause: listed,
  },
  review_case: {
    audience: 'admin',
    label: 'A review needs a decision',
    pushTitle: 'A review needs a decision',
    rules: { inApp: 'always', email: 'on', push: 'off' },
    lockedBecause: listed,
  },
  coach_application: {
    audience: 'admin',
    label: 'Someone applies to become a coach',
    pushTitle: 'New coach application',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  payrun_waiting: {
    audience: 'admin',
    label: 'A payrun needs a second admin',
    pushTitle: 'A payrun needs a second admin',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  payrun_cancelled: {
    audience: 'admin',
    label: 'A payrun is cancelled',
    pushTitle: 'A payrun was cancelled',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  payrun_returned: {
    audience: 'admin',
    label: 'A payment in a payrun is entered as returned',
    pushTitle: 'A payment to a coach was returned',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: money,
  },
  control_changed: {
    audience: 'admin',
    label: 'An admin is added or removed, or a rule about needing a second admin changes',
    pushTitle: 'Admins or their rules changed',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: security,
  },
  application_decided: {
    audience: 'all',
    label: 'An admin decides on your application to become a coach',
    pushTitle: 'About your application',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: 'We always email you about your application, because you may need to act on it.',
  },
  review_decision: {
    audience: 'all',
    label: 'An admin decides on your review or report',
    pushTitle: 'A decision about a review',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: 'We always email you decisions about reviews, because you can appeal against them.',
  },
  guardian_changed: {
    audience: 'all',
    label: 'A guardian joins or leaves',
    pushTitle: 'Your family list has changed',
    rules: { inApp: 'on', email: 'on', push: 'off' },
  },
  care_opened: {
    audience: 'all',
    label: 'An admin opens the care details of someone you book for',
    pushTitle: 'Care details were opened',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: security,
  },
  welfare_concern: {
    audience: 'all',
    label: 'A coach reports a welfare concern to you',
    pushTitle: 'Please open the app',
    rules: { inApp: 'always', email: 'always', push: 'on' },
    lockedBecause: 'We always email you about the welfare of a participant.',
  },
  role_changed: {
    audience: 'all',
    label: 'Your roles change',
    pushTitle: 'Your roles changed',
    rules: { inApp: 'always', email: 'always', push: 'off' },
    lockedBecause: security,
  },
} as const satisfies Record<string, KindEntry>;

export type NotificationKind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as [NotificationKind, ...NotificationKind[]];

/** The entry of a kind, with its optional fields. */
export const kindOf = (kind: NotificationKind): KindEntry => kinds[kind];

export const isKind = (text: string): text is NotificationKind => Object.hasOwn(kinds, text);

/** Whether a rule switches a channel on, given the person's own choice, if there is one. */
export function isChannelOn(rule: ChannelRule, choice: boolean | null | undefined): boolean {
  if (rule === 'always' || rule === 'never') return rule === 'always';
  return choice ?? rule === 'on';
}

/** Whether a person can switch this channel of a kind on and off. */
export const canChange = (rule: ChannelRule): boolean => rule === 'on' || rule === 'off';
