/** The backend of a page, for tests of what it is given. */
export { compiledBackend } from '../../../src/browser/compiled-backend.ts';
