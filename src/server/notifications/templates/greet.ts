/** The first paragraph of a message to a person; somebody may have no name. */
export const greet = (fullName: string): string => (fullName ? `Hello ${fullName},` : 'Hello,');
