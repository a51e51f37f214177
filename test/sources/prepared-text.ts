/** What the build writes for a site of the package, and how a start reads it. */
export { prepare, readSources } from '../../src/application/sources/prepared-sources.ts';
