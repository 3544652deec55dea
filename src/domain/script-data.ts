/**
 * JSON-LD for the inside of a script element. `<` is written as an escape, so that no name or text can end the element;
 * it is data and not code, so the content security policy lets it stand in the page.
 */
export function writeStructuredData(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
