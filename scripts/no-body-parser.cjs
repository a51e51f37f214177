/** Replaces Express's body parsers in the bundle. Atoll reads bodies itself, and they would add half a megabyte of character sets. */
const unused = () => {
  throw new Error('The body parsers of Express are not part of this program.');
};
module.exports = { json: unused, raw: unused, text: unused, urlencoded: unused };
