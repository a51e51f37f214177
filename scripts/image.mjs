/**
 * Lays out what the container image has: the program in `DIR/app`, and `DIR/data`, which is empty. Call it after a build:
 * `node scripts/image.mjs DIR`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { layOutApp } from './app-folder.mjs';

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('Name a directory: node scripts/image.mjs DIR');
await mkdir(join(directory, 'data'), { recursive: true });
await layOutApp(join(directory, 'app'));
