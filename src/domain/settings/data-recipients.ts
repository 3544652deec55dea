/**
 * Everyone outside the operator's team who receives personal data: their name, their sentence in the default privacy
 * notice, and what they keep when an account is deleted. A new third party or notification channel needs an entry
 * here. The notice (site-texts.ts) and docs/privacy.md are made from this list.
 */
export const dataRecipients = [
  {
    name: 'The coach of a lesson',
    notice:
      'The coach of a lesson that you book sees your name, email address and picture, and the name and age of a person you book for. From 7 days before the lesson until 24 hours after it, the coach, and the owners and welfare officers of the coach’s business, can also see the care details that you gave. An admin can open them only with a reason, which is emailed to you.',
    afterDeletion: 'Sees “Deleted account” or “Deleted participant” instead, and no care details.',
  },
  {
    name: 'Other guardians of a dependant',
    notice:
      'If you share a child or another dependant with other guardians, each of you sees the dependant’s details and bookings.',
    afterDeletion: 'Keep the dependant they share with you.',
  },
  {
    name: 'Everyone who booked one of your lessons',
    notice:
      'Everyone who booked a lesson can see the announcements that its coach writes, and may get them by email.',
    afterDeletion: 'Can no longer see your announcements, except in emails already received.',
  },
  {
    name: "The coach's calendar app",
    notice:
      'A coach who subscribes to lessons in a calendar app shares your first name and an initial with that app.',
    afterDeletion: 'Gets “Anonymous” instead the next time it reads the lessons.',
  },
  {
    name: 'Stripe (card payments)',
    notice:
      'Stripe takes payments for us. To prevent fraud, Stripe also receives your name, your email address and the IP address you pay from. If you dispute a payment with your bank, Stripe passes on what we know about the booking: the lesson, the terms, our emails about it and whether you came.',
    afterDeletion:
      'We delete your saved card and customer record at Stripe. Stripe keeps payment records under its own terms.',
  },
  {
    name: 'Everyone, if you coach',
    notice:
      'If you coach, everyone can see your profile, the pictures that you add to it, and badges that say what we have checked.',
    afterDeletion:
      'Can no longer see your profile or pictures. Copies kept by browsers expire within an hour.',
  },
  {
    name: 'Our storage provider, if files are stored in S3',
    notice: 'A hosting company may store, on our behalf, the files that you add.',
    afterDeletion: 'We delete the files there within 24 hours.',
  },
  {
    name: "Your browser's push service, if you turn push on",
    notice:
      "If you turn on push notifications, your browser's maker (such as Apple, Google or Mozilla) passes them on in encrypted form. A notification about a lesson contains its title and time.",
    afterDeletion: "Receives nothing more. We delete your browser's address at the push service.",
  },
  {
    name: 'Our email provider',
    notice: 'The company that delivers our emails receives them with your email address.',
    afterDeletion: 'Keeps the emails that it received under its own terms.',
  },
];
