/** Defines `atoll-server/jest`: a world for each test, and a reporter that puts the traffic of a failed test under it. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AtollServer, AtollWorld } from '../entries/atoll.ts';
import { endOfTest, openTestServer, sharedFolder, type TestOptions, trafficError, worldOfTest } from './test-server.ts';

export type { TestOptions } from './test-server.ts';

/** What Jest gives to every test file, as much of it as is used here. */
type Globals = Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', (hook: () => Promise<void>) => void> & {
  readonly expect: {
    getState(): { readonly testPath?: string | undefined; readonly currentTestName?: string | undefined };
  };
};

export type AtollOfTests = {
  /** The server: that of `atoll exec`, or one of this file. */
  readonly server: AtollServer;
  /** The world of the test that runs. It is dropped afterwards. */
  readonly world: AtollWorld;
};

/** To be called at the top of a test file, or in a `describe`. With `injectGlobals: false` give what `@jest/globals` exports. */
export const useAtoll = (
  options: TestOptions = {},
  { beforeAll, beforeEach, afterEach, afterAll, expect } = globalThis as unknown as Globals,
): AtollOfTests => {
  let opened: Awaited<ReturnType<typeof openTestServer>> | undefined;
  let world: AtollWorld | undefined;
  const given = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('There is a server and a world while tests and their hooks run.');
    return value;
  };
  beforeAll(async () => {
    opened = await openTestServer(options);
  });
  beforeEach(async () => {
    world = await worldOfTest(given(opened).server, expect.getState().currentTestName ?? '');
  });
  afterEach(async () => {
    const ended = given(world);
    world = undefined;
    const { text, isBroken } = await endOfTest(ended);
    if (isBroken && options.failOn === 'violations') throw trafficError(text);
    const { testPath = '', currentTestName = '' } = expect.getState();
    const file = fileOf(testPath, currentTestName);
    if (file !== undefined) writeFileSync(file, text);
  });
  afterAll(async () => opened?.close());
  return {
    get server() {
      return given(opened).server;
    },
    get world() {
      return given(world);
    },
  };
};

/** The file that tells the reporter of a test. Undefined without the reporter. */
const fileOf = (testPath: string, test: string): string | undefined => {
  const folder = sharedFolder.get();
  return folder && join(folder, createHash('sha256').update(`${testPath}\n${test}`).digest('hex'));
};

type CaseResult = {
  readonly fullName: string;
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  readonly status: string;
  readonly failureMessages: string[];
};
type FileResult = {
  readonly testFilePath: string;
  readonly testResults: readonly CaseResult[];
  failureMessage?: string | null;
};

/** Adds the traffic to the results of failed tests. It must be the first reporter: those after it print and write what it has added. */
export class AtollReporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'atoll-jest-'));

  constructor() {
    sharedFolder.set(this.#folder);
  }

  onTestResult(_test: unknown, result: FileResult): void {
    for (const each of result.testResults.filter(({ status }) => status === 'failed')) {
      const text = textAt(fileOf(result.testFilePath, each.fullName));
      if (text === '') continue;
      each.failureMessages.push(text);
      result.failureMessage = withText(result.failureMessage ?? '', each, text);
    }
  }

  onRunComplete(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

// Jest loads the default export of a reporter's module.
export { AtollReporter as default };

const textAt = (file: string | undefined): string => {
  try {
    return file === undefined ? '' : readFileSync(file, 'utf8');
  } catch {
    return ''; // A test of a file without the fixture.
  }
};

/** The text that Jest prints for a file, with one more text at the end of what it says of a test. */
const withText = (all: string, { ancestorTitles, title }: CaseResult, text: string): string => {
  const own = all.indexOf(`● ${[...ancestorTitles, title].join(' › ')}`);
  const next = own < 0 ? -1 : all.indexOf('  ● ', own + 1);
  const end = next < 0 ? all.length : all.lastIndexOf('\n', next) + 1;
  const shown = text.split('\n').map((line) => `    ${line}\n`);
  return `${all.slice(0, end)}${shown.join('')}\n${all.slice(end)}`;
};
