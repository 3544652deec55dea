/** The short reference of a booking or payrun on screens, in emails and in files: the first 8 characters of its id. */
export const shortReference = (id: string): string => id.slice(0, 8);
