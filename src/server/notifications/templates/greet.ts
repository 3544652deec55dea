/** The first paragraph of a message to a person, who may have no name. */
export const greet = (fullName: string): string => (fullName ? `Hello ${fullName},` : 'Hello,');
