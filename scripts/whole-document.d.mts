/** The text with a HEAD after each GET that has none, and without `x-head`. Everything else is as it was. */
export function wholeText(text: string): Promise<string>;
