/** The version of the text below, which each consent keeps. Raise it with every change of the text. */
export const updateServiceTextVersion = 1;

/** What a coach agrees to before an admin may ask the Update Service. */
export const updateServiceText =
  'I agree that the club checks the status of my DBS certificate online with the DBS Update Service, for the same workforce and level, now and whenever it checks again. I can withdraw this at any time.';
