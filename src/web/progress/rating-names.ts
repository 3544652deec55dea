/** What each number in a family's answer means. */
export const ratingNames = { 1: 'Not well', 2: 'So-so', 3: 'All right', 4: 'Well', 5: 'Very well' } as const;
