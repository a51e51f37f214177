/** Reads media types. */

/** The media type of a `Content-Type`, in lower case and without parameters (RFC 9110 §8.3.1). */
export const bareMediaType = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
