/** Writes the part of `llms.txt` that lists the pages, from docs/README.md. The rules before it are written by hand. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const documents = `## Documents

- [OpenAPI document](openapi.yaml): every operation with its statuses and examples
- [OpenAPI document of the control interface](src/server/control/openapi.yaml): everything below \`/_atoll\`
`;

/** The text of `llms.txt` with its lists made anew. */
export const llmsText = async (root) => {
  const [written, index] = await Promise.all(
    ['llms.txt', 'docs/README.md'].map((name) => readFile(join(root, name), 'utf8')),
  );
  const [rules] = written.split(/^## /m);
  return `${rules.trimEnd()}\n\n${documents}\n${sectionsOf(index)}`;
};

/** The sections of docs/README.md for those who use Atoll. "Optional" is what the format calls pages that a reader with little room may skip. */
const sectionsOf = (index) => {
  const [, use = ''] = /^## Use\n([\s\S]*?)^## Inside$/m.exec(index) ?? [];
  const sections = use
    .replaceAll(/^### /gm, '## ')
    .replace(/^## Reference$/m, '## Optional')
    .trim();
  if (!sections.startsWith('## ')) throw new Error('docs/README.md has no sections below "Use".');
  return `${sections.replaceAll(/^- (\[[^\]]*\])\(([^)]*)\)(.*)$/gm, (_, words, target, note) => entry(words, `docs/${target}`, note))}\n`;
};

/** The format wants a colon between a link and its note. */
const entry = (words, target, note) => {
  const told = note.replace(/^[,:]?\s+/, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return `- ${words}(${target})${told === '' ? '' : `: ${told}`}`;
};
