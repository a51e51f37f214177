/**
 * Runs a test file with jest-circus, as Jest does by itself, but imports it with Node: the program and its packages are loaded
 * once in a process and not once in a file. A file that begins with `@jest-environment node` has modules of its own.
 */
import { createRequire, register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { setGlobals } from './globals.mjs';
import { keptMap } from './kept-files.mjs';
import { keepOpenapiSchema } from './openapi-schema.mjs';
import { keepParsedYaml } from './parsed-yaml.mjs';
import { keepValidDocuments } from './valid-documents.mjs';

const require = createRequire(import.meta.url);
const asyncHooks = require('node:async_hooks');
const runWithCircus = require('jest-circus/runner').default;
let isReady = false;

export default (globalConfig, config, environment, runtime, ...others) => {
  if (environment.sharesModules)
    shareModules(runtime, globalConfig.seed, join(config.cacheDirectory, 'shared-modules'));
  return runWithCircus(globalConfig, config, environment, runtime, ...others);
};

const shareModules = (runtime, seed, folder) => {
  if (!isReady) {
    register('./typescript.mjs', import.meta.url, { data: { folder } });
    // A property tries the same at every run: `npm test -- --seed=7` has others.
    fc.configureGlobal({ seed });
    keepOpenapiSchema();
    keepParsedYaml();
    keepValidDocuments();
  }
  isReady = true;
  runtime.requireInternalModule = loadAnew;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = async (path) => {
    const globals = runtime.requireModuleOrMock(path, '@jest/globals');
    setGlobals({ ...globals, jest: withoutModules(globals.jest) });
    globals.expect.addEqualityTesters([equalBytes]);
    await import(pathToFileURL(path).href);
  };
  runtime.getSourceMaps().get = (url) => keptMap(folder, url);
};

/** What belongs to one file is kept by Jest's own part: its tests, its handlers, its limits of time. */
const loadAnew = (path) => {
  for (const name of ofOneFile) delete globalThis[Symbol.for(name)];
  delete require.cache[path];
  const own = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: OneStorage, configurable: true, enumerable: true });
  try {
    return require(path);
  } finally {
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', own);
  }
};

const ofOneFile = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES', 'RETRY_TIMES_SETTER', 'RETRY_IMMEDIATELY'];

/** Jest compares two buffers byte by byte as properties of objects, a second for each megabyte. */
const equalBytes = (one, other) => (Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : undefined);

const storage = new asyncHooks.AsyncLocalStorage();

/** Node carries every storage along with every promise, also those of files that have ended. */
class OneStorage {
  constructor() {
    return storage;
  }
}

/** What replaces modules, or loads them again. */
const needOwnModules = new Set(
  [
    'mock',
    'doMock',
    'dontMock',
    'unmock',
    'deepUnmock',
    'setMock',
    'unstable_mockModule',
    'unstable_unmockModule',
  ].concat(
    ['resetModules', 'isolateModules', 'isolateModulesAsync', 'requireActual', 'requireMock', 'createMockFromModule'],
    ['enableAutomock', 'disableAutomock', 'autoMockOn', 'autoMockOff', 'genMockFromModule', 'onGenerateMock'],
  ),
);

const withoutModules = (jest) =>
  new Proxy(jest, {
    get: (from, name) => {
      if (!needOwnModules.has(name)) return from[name];
      throw new Error(`jest.${name} needs modules of the file's own: begin the file with "@jest-environment node".`);
    },
  });
