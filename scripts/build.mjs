/** Builds the program: dist/main.js, what it loads when needed, and what it need not read and check again at every start. */
import { rm, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { bundleModule, bundleProgram } from './bundle.mjs';

await rm('dist', { recursive: true, force: true });
const preparing = 'dist/prepare.mjs';
await Promise.all([bundleProgram('dist'), bundleModule('src/prepared.ts', preparing)]);
const { prepare } = await import(pathToFileURL(preparing).href);
await writeFile('dist/prepared.json', await prepare('.'));
await rm(preparing);
