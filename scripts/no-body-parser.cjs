/** Stands for Express's body parsers in the bundle: bodies are read by the operations, and these bring half a megabyte of character sets. */
const unused = () => {
  throw new Error('The body parsers of Express are not part of this program.');
};
module.exports = { json: unused, raw: unused, text: unused, urlencoded: unused };
