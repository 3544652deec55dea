/**
 * Everyone outside the team who receives personal data: their name, their sentence in the default privacy notice, and
 * what they keep when an account is deleted. A new third party or notification channel needs an entry here. The notice
 * (site-texts.ts) and docs/privacy.md follow from it.
 */
export const dataRecipients = [
  {
    name: 'The coach of a lesson',
    notice: 'The coach of a lesson that you book sees your name and email address.',
    afterDeletion: 'Sees “Deleted account” instead.',
  },
  {
    name: 'Stripe (card payments)',
    notice:
      'Stripe takes payments for us. To prevent fraud, Stripe also receives your name, your email address and the IP address you pay from.',
    afterDeletion:
      'We delete your saved card and customer record at Stripe. Stripe keeps payment records under its own terms.',
  },
  {
    name: 'Our email provider',
    notice: 'The company that delivers our emails receives them with your email address.',
    afterDeletion: 'Keeps the emails that it received under its own terms.',
  },
];
