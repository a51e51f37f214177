/** The pattern of a regular expression that matches a text and nothing else. */
export const literalPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
