/** The file of differences that a user accepts. */
export { readAcceptances } from '../../src/checks/twin/acceptances.ts';
