/** The comparison of the records of two states of a world. */
export { createComparison } from '../../src/server/worlds/differences/compare-records.ts';
