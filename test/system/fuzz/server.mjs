/** The built program for the tool to ask: in memory, strict about bodies, without flood control. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { builtProgram } from '../../support/built-program.mjs';
import { startProgram } from '../../support/started-program.mjs';
import { root } from './tool.mjs';

/** Writes the default site with `leniency: none` and `flood: off` below `folder`; returns where. */
export const writeSite = (folder) => {
  const site = join(folder, 'site');
  rmSync(site, { recursive: true, force: true });
  cpSync(join(root, 'data/site'), site, { recursive: true });
  const file = join(site, 'site.yml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  document.set('leniency', 'none');
  document.set('flood', 'off');
  writeFileSync(file, document.toString());
  return site;
};

/** Starts the program: `startProgram` says what `url` and `stop` are. */
export const serve = async (site) => startProgram(await builtProgram(), ['--site', site]);
