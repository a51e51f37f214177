/**
 * A document that swagger-parser has found valid is not validated again in a process. Many files start servers of the same few sites,
 * whose documents are checked in full: a third of a second for each.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Called before the first document is validated. */
export const keepValidDocuments = () => {
  const parser = require('@apidevtools/swagger-parser');
  const { validate } = parser;
  const valid = new Set();
  parser.validate = async (document, ...others) => {
    const text = typeof document === 'object' ? JSON.stringify(document) : '';
    // What else is in other files is not known by the text.
    if (text === '' || /"\$ref":"[^#]/.test(text)) return validate(document, ...others);
    // Servers of tests differ by their port, which is any number.
    const named = JSON.stringify([text.replace(/localhost:\d+/g, 'localhost'), ...others]);
    const key = createHash('sha256').update(named).digest('hex');
    if (valid.has(key)) return document;
    const found = await validate(document, ...others);
    valid.add(key);
    return found;
  };
};
