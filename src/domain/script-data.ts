/**
 * JSON or JSON-LD for a script element. `<` is escaped, so that no name or text can close the element. Such
 * elements hold data and not code, so the content security policy allows them inline.
 */
export function writeStructuredData(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
