/** Tests that no world shows the changes of another while many clients write at random into many worlds. */
import type { components } from '../../../src/client/generated/control.ts';
import { createRandomSource } from '../../support/random-source.ts';
import { inParallel } from '../../../src/basics/semaphore.ts';

export type WorldsTest = {
  /** The base URLs of the worlds, which were all forked from the same state. */
  readonly worlds: readonly string[];
  /** The number of clients. */
  readonly parallel: number;
  /** The number of writes in each world. */
  readonly ops: number;
  readonly seed: string;
  /** The Authorization header of an administrator. */
  readonly authorization: string;
  readonly fetch: typeof globalThis.fetch;
};

/** `violations` has a line for each difference, and none if the worlds are independent. */
type WorldsTestOutcome = {
  readonly writes: number;
  readonly nodes: number;
  readonly violations: readonly string[];
};

/** The nodes that a world must hold: id → title. `last` is the highest id assigned in it. */
type ExpectedWorld = { readonly url: string; readonly titles: Map<number, string>; last: number };

type TestRun = WorldsTest & { readonly random: () => number; readonly report: (violation: string) => void };

/** Writes, then reads every node of every world and compares it with the writes to that world alone. */
export const testWorlds = async (test: WorldsTest): Promise<WorldsTestOutcome> => {
  const violations: string[] = [];
  const run: TestRun = { ...test, random: createRandomSource(test.seed), report: (text) => violations.push(text) };
  const [first] = test.worlds;
  const titles = first === undefined ? new Map<number, string>() : await titlesIn(first, run);
  const last = Math.max(0, ...titles.keys());
  const worlds = test.worlds.map((url): ExpectedWorld => ({ url, titles: new Map(titles), last }));
  const writes = shuffled(
    worlds.flatMap((world) => Array.from({ length: test.ops }, () => world)),
    run.random,
  );
  // The writes of a world run one after another, so that its expected nodes are known.
  const queues = new Map<ExpectedWorld, Promise<void>>();
  await inParallel(writes, test.parallel, (world) => {
    const written = (queues.get(world) ?? Promise.resolve()).then(() => write(world, run));
    queues.set(world, written);
    return written;
  });
  let nodes = 0;
  await inParallel(worlds, test.parallel, async (world) => {
    const found = await titlesIn(world.url, run);
    nodes += found.size;
    for (const id of new Set([...found.keys(), ...world.titles.keys()])) {
      const [is, must] = [found.get(id), world.titles.get(id)];
      if (is !== must) run.report(`${world.url}: node ${id} is ${is ?? 'not there'}, and must be ${must ?? 'gone'}`);
    }
  });
  return { writes: writes.length, nodes, violations };
};

const type = [{ target_id: 'islandora_object' }];

/** The body of a POST. 24 is the term of the model "Image" in the default site. */
export const newNode = (title: string): string =>
  JSON.stringify({ type, title: [{ value: title }], field_model: [{ target_id: 24 }] });

/** Creates, changes or deletes a node, and updates the expected nodes. */
const write = async (world: ExpectedWorld, run: TestRun): Promise<void> => {
  const kind = Math.floor(run.random() * 3);
  const id = 1 + Math.floor(run.random() * world.last);
  const title = `${world.url} ${Math.floor(run.random() * 1e9)}`;
  const exists = world.titles.has(id);
  if (kind === 0) {
    world.last += 1;
    world.titles.set(world.last, title);
    await expectStatus(world, run, ['POST', '/node', 201, newNode(title)]);
  } else if (kind === 1) {
    if (exists) world.titles.set(id, title);
    const body = JSON.stringify({ type, title: [{ value: title }] });
    await expectStatus(world, run, ['PATCH', `/node/${id}`, exists ? 200 : 404, body]);
  } else {
    world.titles.delete(id);
    await expectStatus(world, run, ['DELETE', `/node/${id}`, exists ? 204 : 404]);
  }
};

/** Sends a request and reports a reply with another status or location than expected. */
const expectStatus = async (
  { url, last }: ExpectedWorld,
  run: TestRun,
  [method, path, status, body]: [method: string, path: string, status: number, body?: string],
): Promise<void> => {
  const response = await run.fetch(`${url}${path}?_format=json`, {
    method,
    headers: { Authorization: run.authorization, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  if (response.status !== status) run.report(`${url}: ${method} ${path} is ${response.status}, not ${status}`);
  const location = response.headers.get('location');
  if (location !== null && location !== `${url}/node/${last}`) {
    run.report(`${url}: made ${location}, and must have made node ${last}`);
  }
};

/** The title of every node by id, from the list of the control interface. */
const titlesIn = async (url: string, { fetch }: TestRun): Promise<Map<number, string>> => {
  const titles = new Map<number, string>();
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const response = await fetch(`${url}/_atoll/entities?type=node&page=${page}`);
    const found = (await response.json()) as components['schemas']['EntityPage']; // the document says so
    pages = found.pages;
    for (const { id, title } of found.entities) titles.set(id, title);
  }
  return titles;
};

/** Shuffles a list (Fisher and Yates). */
const shuffled = <T>(items: readonly T[], random: () => number): readonly T[] => {
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
};
