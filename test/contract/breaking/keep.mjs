/** Makes the present document the one that later ones are compared with: `npm run breaking:keep`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
// The name of the content, which it has before it is committed, and in every history that has it.
const cwd = fileURLToPath(root);
const blob = execFileSync('git', ['hash-object', 'openapi.yaml'], { cwd, encoding: 'utf8' }).trim();
writeFileSync(new URL('released.json', import.meta.url), `${JSON.stringify({ version, blob })}\n`);
