import type { NotificationMessage } from '#domain/message.ts';
import { greet } from './greet.ts';

/** Notifies an admin that a picture was reported, or that it was reported often enough to be hidden. */
export function composePictureReportedMessage({
  isHidden,
  brand,
}: {
  isHidden: boolean;
  brand: string;
}): NotificationMessage {
  return {
    subject: isHidden ? `A reported picture is hidden on ${brand}` : `A picture was reported on ${brand}`,
    summary: isHidden
      ? "We've hidden it until an admin decides."
      : 'It stays visible until an admin decides.',
    body: [
      isHidden
        ? "Several visitors reported a picture, so we've hidden it until an admin decides."
        : 'A visitor reported a picture. It stays visible until an admin decides.',
      'You can keep or remove it in the Admin Panel under Pictures.',
    ],
    action: { label: 'See the reports', path: '/admin/panel?tab=pictures' },
  };
}

/** Notifies a person that an admin removed one of their pictures. */
export function composePictureRemovedMessage({
  fullName,
  brand,
}: {
  fullName: string;
  brand: string;
}): NotificationMessage {
  return {
    subject: `We removed one of your pictures on ${brand}`,
    summary: 'A visitor had reported it.',
    body: [
      greet(fullName),
      'A visitor reported one of your pictures. We looked at it and removed it. Please add only pictures that show what you offer, and only if everyone who can be recognised in them has agreed.',
    ],
    action: { label: 'See your pictures', path: '/coach/business' },
  };
}
