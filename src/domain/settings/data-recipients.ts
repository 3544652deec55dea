/**
 * Everyone outside the team who receives personal data: who, how the default privacy notice says it, and what they keep
 * when an account is deleted. A new third party or notification channel is an entry here; the notice (site-texts.ts)
 * and docs/privacy.md follow.
 */
export const dataRecipients = [
  {
    name: 'The coach of a lesson',
    notice: 'The coach of a lesson that you book sees your name and email address.',
    afterDeletion: 'Sees “Deleted account” instead.',
  },
  {
    name: 'The card network',
    notice:
      'Stripe takes payments for us; to prevent fraud it also gets your name, your email address and the IP address you pay from.',
    afterDeletion: 'The card and the customer are deleted there. It keeps payments on terms of its own.',
  },
  {
    name: 'The mail server',
    notice: 'The company that delivers our emails gets them with your email address.',
    afterDeletion: 'Keeps what it was given on terms of its own.',
  },
];
