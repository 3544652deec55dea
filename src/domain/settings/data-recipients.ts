/**
 * Everyone outside the team who receives personal data: their name, their sentence in the default privacy notice, and
 * what they keep when an account is deleted. A new third party or notification channel needs an entry here; the notice
 * (site-texts.ts) and docs/privacy.md follow from it.
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
      'Stripe takes payments for us; to prevent fraud, it also receives your name, your email address and the IP address you pay from.',
    afterDeletion: 'The card and the customer are deleted there. It keeps payments on its own terms.',
  },
  {
    name: 'The mail server',
    notice: 'The company that delivers our emails receives them with your email address.',
    afterDeletion: 'Keeps what it received on its own terms.',
  },
];
