/** What a calendar address does, for the account page and the dialog. */
export const aboutFeeds =
  'Your calendar app reads your lessons from a private address and keeps them up to date. Google may take a day to show changes.';
