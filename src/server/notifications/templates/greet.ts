/** The greeting that opens a message. `fullName` is empty for a person without a name. */
export const greet = (fullName: string): string => (fullName ? `Hello ${fullName},` : 'Hello,');
