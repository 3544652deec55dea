/**
 * The version of the text below, which is stored with each consent. Increase it whenever the text changes.
 */
export const updateServiceTextVersion = 1;

/** What a coach agrees to before an admin may ask the Update Service. */
export const updateServiceText =
  'I agree that the club checks the status of my DBS certificate online with the DBS Update Service, for the same workforce and level, now and whenever it checks again. I can withdraw this at any time.';
