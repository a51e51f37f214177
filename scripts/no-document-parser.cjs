/**
 * Replaces, in the bundle, the parts of openapi-backend that read and check a document from a file, which nobody asks for: the
 * engine gives it a document that is checked and has no references.
 */
const unused = () => {
  throw new Error('openapi-backend reads no document in this program.');
};
module.exports = { __esModule: true, default: unused, parse: unused, dereference: unused, resolve: unused };
