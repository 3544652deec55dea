/** The start and end of an export's period: `since` inclusive, `until` exclusive. */
export type Span = { since: string; until: string };
