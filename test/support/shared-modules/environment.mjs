/**
 * The environment of test files that share modules: the process as it is, without a VM context. What a file changes of the
 * process or of the global object is as before when the file has ended.
 */
import { channel } from 'node:diagnostics_channel';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';
import { ModuleMocker } from 'jest-mock';

const fileEnds = channel('atoll.test-file-ends');

export default class SharedEnvironment {
  constructor(config, context) {
    const { globalConfig, projectConfig } = config;
    // A watch sees changes of the program in one process, and Jest counts lines only of what it loads itself.
    if (globalConfig.watch || globalConfig.watchAll || globalConfig.collectCoverage) {
      return new NodeEnvironment(config, context);
    }
    this.sharesModules = true;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.restoreProcess = restoring(process, isPublic);
    this.restoreGlobals = restoring(globalThis, isPublic);
    this.restoreVariables = restoring(process.env, () => true);
    this.restoreListeners = restoringListeners(process);
    this.folder = process.cwd();
  }

  async setup() {
    // The runtime of Jest has put its own `process.getBuiltinModule` in place.
    this.restoreProcess();
  }

  async teardown() {
    const ends = [];
    fileEnds.publish({ waitFor: (end) => ends.push(end) });
    await Promise.allSettled(ends);
    this.fakeTimersModern.dispose();
    this.restoreProcess();
    this.restoreGlobals();
    this.restoreVariables();
    this.restoreListeners();
    if (process.cwd() !== this.folder) process.chdir(this.folder);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** Symbols and names with an underscore belong to Node and Jest. */
const isPublic = (key) => typeof key === 'string' && !key.startsWith('_');

/** Gives the own properties of an object back what they had, and takes new ones away. */
const restoring = (object, concerns) => {
  const before = Object.getOwnPropertyDescriptors(object);
  return () => {
    const keys = new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(object)].filter(concerns));
    for (const key of keys) {
      const was = before[key];
      const is = Object.getOwnPropertyDescriptor(object, key);
      if (was === undefined) delete object[key];
      else if (is?.value !== was.value || is?.get !== was.get) Object.defineProperty(object, key, was);
    }
  };
};

const restoringListeners = (emitter) => {
  const listeners = (names) => new Map(names.map((name) => [name, emitter.rawListeners(name)]));
  const before = listeners(emitter.eventNames());
  return () => {
    for (const [name, now] of listeners(emitter.eventNames())) {
      const known = before.get(name) ?? [];
      for (const listener of now.filter((each) => !known.includes(each))) emitter.removeListener(name, listener);
    }
  };
};
