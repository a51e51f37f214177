/**
 * Each text of YAML is parsed once in a process. Many tests read the same documents and sites, and to parse one takes as long as fifty
 * requests.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Shorter texts are those of single tests. */
const leastLength = 500;

/** Called before the first text is parsed. */
export const keepParsedYaml = () => {
  const yaml = require('yaml');
  const { parse, parseDocument } = yaml;
  const kept = new Map();
  const keptOf = (text, options, make) => {
    const key = `${make.name} ${JSON.stringify(options)} ${text}`;
    const value = kept.get(key) ?? make(text, options);
    kept.set(key, value);
    return value;
  };
  // Who has a value may change it.
  yaml.parse = (text, options, ...others) =>
    others.length > 0 || typeof options === 'function' || text.length < leastLength
      ? parse(text, options, ...others)
      : structuredClone(keptOf(text, options, parse));
  yaml.parseDocument = (text, options = {}) => {
    const { lineCounter, ...plain } = options;
    // Only lines are asked for after that, and what it means is made each time.
    if (lineCounter === undefined || text.length < leastLength) return parseDocument(text, options);
    const { document, lineStarts } = keptOf(text, plain, function document() {
      const counter = new yaml.LineCounter();
      return { document: parseDocument(text, { ...plain, lineCounter: counter }), lineStarts: counter.lineStarts };
    });
    lineCounter.lineStarts = lineStarts;
    return document;
  };
};
