/** The door for files of exchanges: recordings and HTTP Archives. */

/**
 * Opens a directory for a recording, which begins or goes on there: each exchange that is added is written without its secrets. Makes the
 * directory. Throws `ConfigurationError` where it holds something else, or a recording of another target.
 */
export { openRecorder } from './files/recorder.ts';
/** Reads the rules by which a recording loses its secrets: those of the program with those of a YAML file. Throws `ConfigurationError`. */
export { readRules } from './redaction/redaction-rules.ts';
/** Which names and texts are secret. */
export type { RedactionRules } from './redaction/redaction-rules.ts';
/** Reads a recording. Throws `ConfigurationError` for a directory that is none, and for a damaged file. */
export { readRecording } from './files/read-recording.ts';
/** A recording that was read: the server that answered, and the exchanges in their order. */
export type { Recording } from './files/read-recording.ts';
/** One of its exchanges, with its number, its file, and the files of its bodies. */
export type { ReadExchange } from './files/read-recording.ts';
/** A path as a recording has it, without secrets, so that those of two requests can be compared. */
export { comparablePath } from './redaction/comparable-request.ts';
/** The same of a body that is whole: its text, or its bytes where it has no text. */
export { comparableBody } from './redaction/comparable-request.ts';
/** Writes a recording as an HTTP Archive (HAR 1.2). */
export { harOfRecording } from './har/write-har.ts';
/** Reads the exchanges with one server out of an HTTP Archive. Throws `ConfigurationError` when it has none. */
export { readHar } from './har/read-har.ts';
