/** Prism's proxy in front of a server: which answers it calls violations. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPrism } from '../../support/prism.mjs';
import { work } from './bundled-mutants.mjs';

export const startPrismProxy = (document, upstream) => {
  const file = join(work, 'openapi.json');
  writeFileSync(file, document);
  return startPrism('proxy', file, upstream);
};

/** What Prism says of an answer: its violations of the document, without those of the request. */
export const violationsOf = ({ headers }) =>
  (headers['sl-violations'] ?? [])
    .flatMap((text) => JSON.parse(text))
    .filter(({ location: [part] }) => part === 'response')
    .map(({ location, code, message }) => `${location.join('.')} ${code}: ${message}`);
