/**
 * JSON or JSON-LD for a script element. `<` is escaped, so that no name or text can close the element. Both are data
 * and not code, so the content security policy allows it inline.
 */
export function writeStructuredData(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
