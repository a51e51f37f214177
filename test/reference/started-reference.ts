/** Starts the Atoll that a target is compared with, for tests of the twin. */
export { startLocalServer as startReference } from '../../src/checks/reference/local-server.ts';
