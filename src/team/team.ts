/** The door of repositories in PostgreSQL, behind any number of processes. */

/**
 * The databases that a server opens in place of a directory, by addresses such as `postgres://…`: given to `start` of the server, which
 * gets worlds, state and bytes from them.
 */
export { databases } from './databases.ts';
