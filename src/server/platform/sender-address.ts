/** The address in a sender such as "Riverside Sports <no-reply@club.example>". */
export const addressOf = (sender: string): string => (/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender).trim();
