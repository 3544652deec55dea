/** What a reader of the address leaves out the router would hand on as it came; this drops it. */
export function onlyRead<Search extends object>(read: (raw: Record<string, unknown>) => Search) {
  return (raw: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])),
    ...read(raw),
  });
}
