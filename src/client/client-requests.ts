/** The door for parts of Atoll that send requests of their own as the client does. It is not part of the package's entry. */

/** Logs an account in, and returns the cookie and the tokens of the session. Throws an `AtollError` when the server refuses. */
export { openSession } from './open-session.ts';
/** Ends a session, which may have ended already. */
export { endSession } from './open-session.ts';
/** Whether this browser can send a stream as the body of a request. */
export { canSendStreams } from './upload-body.ts';
