/** The instants between which an export has its records: `since` inclusive, `until` exclusive. */
export type Span = { since: string; until: string };
