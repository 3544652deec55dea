/** Explains calendar addresses, on the account page and in the subscribe dialog. */
export const aboutFeeds =
  'Your calendar app reads your lessons from a private address and keeps them up to date. Google may take a day to show changes.';
