/** The instants that limit an export: `since` inclusive, `until` exclusive. */
export type Span = { since: string; until: string };
