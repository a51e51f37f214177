/** The text of a service worker with a site inside: a script, in which the engine finds the site. */
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { prepareSite } from '../../src/browser/browser.ts';
import { serviceWorkerText } from '../../src/browser/prepared-site/service-worker-text.ts';
import { preparedFile, root } from '../support/atoll.ts';

it('is one script of the site and the module of the engine, which serves it', async () => {
  const site = { site: 'starter-site', fixtures: ['empty'] };
  const parts = await prepareSite({ root, prepared: await preparedFile(), ...site });
  const engine =
    'const a = 1, b = () => { globalThis.served = atollSite; };\nexport{a as createAtoll,b as serveReadySite};\n';
  const scope: { served?: { readonly name: string; readonly document: { readonly validators: object } } } = {};
  runInNewContext(serviceWorkerText(parts, engine), scope);
  expect(scope.served?.name).toBe('starter-site');
  expect(Object.keys(scope.served?.document.validators ?? {})).toContain('createNode');
  for (const other of ['no engine', 'export{a as createAtoll};'])
    expect(() => serviceWorkerText(parts, other)).toThrow('another form');
}, 60_000);
