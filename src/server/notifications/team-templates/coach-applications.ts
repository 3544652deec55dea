import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';
import {
  describeNeeded,
  firstPage,
  type NeededDocuments,
} from '../verification-templates/needed-documents.ts';

type Decided = { fullName: string; message: string; brand: string };
const ownPage = '/become-a-coach';

/** Asks an admin to decide on an application for the coach role. */
export function composeNewApplicationMessage({
  fullName,
  applicant,
  applicationId,
  brand,
}: {
  fullName: string;
  /** The person's name, or their email address. */
  applicant: string;
  applicationId: string;
  brand: string;
}): NotificationMessage {
  return {
    subject: `${applicant} wants to become a coach`,
    summary: 'Read the application and decide.',
    body: [
      greet(fullName),
      `${applicant} has applied to become a coach on ${brand}. You can approve the application, ask for changes or decline it. We'll email your decision to ${applicant}.`,
    ],
    action: { label: 'Read the application', path: `/admin/applications/${applicationId}` },
  };
}

/** Notifies a person that they are now a coach, and which documents they need before their lessons are listed. */
export function composeApprovedMessage({
  fullName,
  brand,
  needed,
}: {
  fullName: string;
  brand: string;
  needed: NeededDocuments;
}): NotificationMessage {
  return {
    subject: `You're a coach on ${brand}`,
    summary:
      needed.always.length > 0
        ? 'Your application has been approved. See which documents you need before your lessons are listed.'
        : 'Your application has been approved. Publish your first lessons.',
    body: [
      greet(fullName),
      `Your application has been approved: you're a coach on ${brand}. Your calendar shows the steps to your first lessons.`,
      ...describeNeeded(needed),
    ],
    action: firstPage(needed),
  };
}

/** Asks a person to change their application; `message` is the admin's. */
export function composeChangesMessage({ fullName, message, brand }: Decided): NotificationMessage {
  return {
    subject: 'Please change your application',
    summary: 'An admin has asked for changes to your application to become a coach.',
    body: [
      greet(fullName),
      `Thank you for applying to become a coach on ${brand}. Before we can decide, please change your application:`,
      message,
    ],
    action: { label: 'Change your application', path: ownPage },
  };
}

/** Notifies a person that their application was declined; `message` is the admin's reason. */
export function composeDeclinedMessage({ fullName, message, brand }: Decided): NotificationMessage {
  return {
    subject: 'Your application to become a coach',
    summary: "We can't approve your application.",
    body: [
      greet(fullName),
      `Thank you for applying to become a coach on ${brand}. We can't approve your application, for this reason:`,
      message,
      'You can apply again if this changes. Your account stays as it is, and you can still book lessons.',
    ],
    action: { label: 'See your application', path: ownPage },
  };
}
