/** The text of a service worker with a site inside: a script, in which the engine of the ready worker finds the site. */
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { prepareSite } from '../../src/browser/prepared-site/prepare-site.ts';
import { serviceWorkerText } from '../../src/browser/prepared-site/service-worker-text.ts';
import { preparedFile, root } from '../support/atoll.ts';

it('is one script: the engine of the ready worker runs after the site, and not the site of the ready worker', async () => {
  const site = { site: 'starter-site', fixtures: ['empty'] };
  const parts = await prepareSite({ root, prepared: await preparedFile(), ...site });
  const ready = "throw new Error('another site');/* The engine of atoll-server. */\nglobalThis.served = atollSite;";
  const scope: { served?: { readonly name: string; readonly document: { readonly validators: object } } } = {};
  runInNewContext(serviceWorkerText(parts, ready), scope);
  expect(scope.served?.name).toBe('starter-site');
  expect(Object.keys(scope.served?.document.validators ?? {})).toContain('createNode');
  expect(() => serviceWorkerText(parts, 'no engine')).toThrow('another form');
}, 60_000);
