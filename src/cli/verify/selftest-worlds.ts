/** The self-test of worlds: many clients write at random into many worlds at once, and no world may show another's change. */
import { createRandomSource } from '../../worlds/random-source.ts';

export type WorldsTest = {
  /** The base URLs of the worlds, all of them made from the same state. */
  readonly worlds: readonly string[];
  /** How many clients there are. */
  readonly parallel: number;
  /** How often each world is written to. */
  readonly ops: number;
  readonly seed: string;
  /** The Authorization header of an account that may do everything. */
  readonly authorization: string;
  readonly fetch: typeof globalThis.fetch;
};

/** `faults`: one line each, empty when all is well. */
export type WorldsTestOutcome = { readonly writes: number; readonly nodes: number; readonly faults: readonly string[] };

/** What a world must hold: id → title. `last` is the highest id that was given in it. */
type Expected = { readonly url: string; readonly titles: Map<number, string>; last: number };

type Scene = WorldsTest & { readonly chance: () => number; readonly fault: (text: string) => void };

/** Writes, then reads every node of every world and compares it with what was done to that world alone. */
export const testWorlds = async (test: WorldsTest): Promise<WorldsTestOutcome> => {
  const faults: string[] = [];
  const scene: Scene = { ...test, chance: createRandomSource(test.seed), fault: (text) => faults.push(text) };
  const [first] = test.worlds;
  const titles = first === undefined ? new Map<number, string>() : await titlesIn(first, scene);
  const last = Math.max(0, ...titles.keys());
  const worlds = test.worlds.map((url): Expected => ({ url, titles: new Map(titles), last }));
  const turns = shuffled(
    worlds.flatMap((world) => Array.from({ length: test.ops }, () => world)),
    scene.chance,
  );
  // Within a world writes follow each other, so that what it must hold is known.
  const queues = new Map<Expected, Promise<void>>();
  await inParallel(turns, test.parallel, (world) => {
    const turn = (queues.get(world) ?? Promise.resolve()).then(() => write(world, scene));
    queues.set(world, turn);
    return turn;
  });
  let nodes = 0;
  await inParallel(worlds, test.parallel, async (world) => {
    const found = await titlesIn(world.url, scene);
    nodes += found.size;
    for (const id of new Set([...found.keys(), ...world.titles.keys()])) {
      const [is, must] = [found.get(id), world.titles.get(id)];
      if (is !== must) scene.fault(`${world.url}: node ${id} is ${is ?? 'not there'}, and must be ${must ?? 'gone'}`);
    }
  });
  return { writes: turns.length, nodes, faults };
};

const type = [{ target_id: 'islandora_object' }];

/** The body of a POST; 24 is a term of the default site, the model "Image". */
export const newNode = (title: string): string =>
  JSON.stringify({ type, title: [{ value: title }], field_model: [{ target_id: 24 }] });

/** Makes, changes or deletes a node, and notes what the world must hold then. */
const write = async (world: Expected, scene: Scene): Promise<void> => {
  const kind = Math.floor(scene.chance() * 3);
  const id = 1 + Math.floor(scene.chance() * world.last);
  const title = `${world.url} ${Math.floor(scene.chance() * 1e9)}`;
  const isThere = world.titles.has(id);
  const send = (method: string, path: string, status: number, body?: string): Promise<void> =>
    expectStatus(world, scene, { method, path, status, body });
  if (kind === 0) {
    world.last += 1;
    world.titles.set(world.last, title);
    await send('POST', '/node', 201, newNode(title));
  } else if (kind === 1) {
    if (isThere) world.titles.set(id, title);
    await send('PATCH', `/node/${id}`, isThere ? 200 : 404, JSON.stringify({ type, title: [{ value: title }] }));
  } else {
    world.titles.delete(id);
    await send('DELETE', `/node/${id}`, isThere ? 204 : 404);
  }
};

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string | undefined;
};

const expectStatus = async (world: Expected, scene: Scene, { method, path, status, body }: Sent): Promise<void> => {
  const response = await scene.fetch(`${world.url}${path}?_format=json`, {
    method,
    headers: { Authorization: scene.authorization, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  if (response.status !== status) scene.fault(`${world.url}: ${method} ${path} is ${response.status}, not ${status}`);
  const location = response.headers.get('location');
  if (location !== null && location !== `${world.url}/node/${world.last}`) {
    scene.fault(`${world.url}: made ${location}, and must have made node ${world.last}`);
  }
};

/** Every node by its id, from the control interface's list. */
const titlesIn = async (url: string, { fetch }: Scene): Promise<Map<number, string>> => {
  const titles = new Map<number, string>();
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const response = await fetch(`${url}/_atoll/entities?type=node&page=${page}`);
    const found = (await response.json()) as { pages: number; entities: readonly { id: number; title: string }[] }; // `EntityPage`
    pages = found.pages;
    for (const { id, title } of found.entities) titles.set(id, title);
  }
  return titles;
};

/** In an order of chance (Fisher and Yates). */
const shuffled = <T>(given: readonly T[], chance: () => number): readonly T[] => {
  const rest = [...given];
  return given.flatMap(() => rest.splice(Math.floor(chance() * rest.length), 1));
};

/** Several workers that take one item after another. */
export const inParallel = async <T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const rest = items.values();
  const client = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: parallel }, client));
};
