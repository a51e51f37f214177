/** Reads the message of a refusal. */

/** The server's own words. Empty for a body of another form, such as a proxy's page. */
export const messageIn = (text: string): string => {
  try {
    const { message, error } = Object(JSON.parse(text)) as { readonly message?: unknown; readonly error?: unknown }; // any JSON
    return [message, error].find((words) => typeof words === 'string') ?? '';
  } catch {
    return '';
  }
};
