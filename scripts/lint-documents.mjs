/** Checks both documents, as they are served, with Redocly's rules. Redocly sends telemetry unless its environment forbids it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { wholeText } from './whole-document.mjs';

const whole = 'coverage/lint/openapi.yaml';
await mkdir('coverage/lint', { recursive: true });
await writeFile(whole, await wholeText(await readFile('openapi.yaml', 'utf8')));
process.env.REDOCLY_TELEMETRY = 'off';
process.argv.push('lint', '--config', 'redocly.yaml', whole, 'src/server/control/openapi.yaml');
// The package exports no entry for its command.
await import(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url).href);
