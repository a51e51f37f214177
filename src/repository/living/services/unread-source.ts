/** Says why a file is not read: it is damaged, of a kind that nothing here reads, or passes a bound. */

/** The message is a sentence for those who see the placeholder. */
export class UnreadSource extends Error {}

const unreadable = 'The file is damaged, or of a kind that the built-in services do not read.';

/** The reason for a placeholder. What a library says of bytes is for nobody else. */
export const reasonOf = (error: unknown): string => (error instanceof UnreadSource ? error.message : unreadable);
