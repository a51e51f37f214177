/** The door of recordings: a server that repeats the recorded answers, and the content that they show. */

/**
 * Starts a server that answers from a recording alone, and 404 to what was not recorded. Rejects with `ConfigurationError` for a
 * damaged recording, or when it cannot listen.
 */
export { serveReplay } from './recording/replay/serve-replay.ts';
/**
 * Reads the records and files that a recording shows, as a site can have them, with a summary such as `3 nodes, 2 media`. Tells each
 * thing that is left out. Rejects with `ConfigurationError` where no record is left.
 */
export { readRecordedContent } from './recording/fixture/read-recorded-content.ts';
