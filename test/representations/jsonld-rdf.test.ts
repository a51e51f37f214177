/** JSON-LD answers as RDF: another library expands them, nothing is lost on the way, and two golden objects stay what they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import jsonld from 'jsonld';
import { canonicalPath } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { keyOf, type Entity } from '../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

type GraphNode = Readonly<Record<string, unknown>> & { readonly '@id': string };
type Graph = { readonly '@graph': readonly GraphNode[]; readonly uri?: unknown };

/** Nothing has to be fetched to understand an answer: it has no context. `safe` refuses whatever would be dropped. */
const options = {
  documentLoader: (url: string): never => {
    throw new Error(`${url} was to be fetched`);
  },
  safe: true,
};

const read = async (path: string): Promise<Graph> => {
  const { status, body } = (await atoll.send('GET', `${path}?_format=jsonld`, 'admin')) as {
    status: number;
    body: Graph;
  }; // held to the schema by the engine
  expect([path, status]).toEqual([path, 200]);
  return body;
};

/** The member beside the graph that files have has no IRI, so no RDF (reference 6: odd, and real). */
const inRdf = ({ '@graph': graph }: Graph): object => ({ '@graph': graph });

const quadsOf = async (graph: Graph): Promise<string[]> => {
  const text: unknown = await jsonld.toRDF(inRdf(graph), { ...options, format: 'application/n-quads' });
  return String(text)
    .split('\n')
    .filter((line) => line !== '')
    .sort();
};

/** A graph counted by hand: every type and every value of every node is one statement. */
const statementsOf = ({ '@graph': graph }: Graph): Set<string> =>
  new Set(
    graph.flatMap((node) =>
      Object.entries(node).flatMap(([predicate, values]) =>
        predicate === '@id' ? [] : [values].flat().map((value) => JSON.stringify([node['@id'], predicate, value])),
      ),
    ),
  );

const everything = async (): Promise<Entity[]> => {
  const pages = await Promise.all(
    (['node', 'media', 'file', 'taxonomy_term'] as const).map((type) =>
      atoll.world().store.list(type, { offset: 0, limit: 1000 }),
    ),
  );
  return pages.flatMap(({ entities }) => entities);
};

describe('every JSON-LD answer of the starter fixture', () => {
  it('converts to RDF with one statement for each of its types and values', async () => {
    const entities = await everything();
    expect(entities.length).toBeGreaterThan(150);
    for (const entity of entities) {
      const graph = await read(canonicalPath(entity.type, entity.id));
      const quads = await quadsOf(graph);
      expect([keyOf(entity), quads.length]).toEqual([keyOf(entity), statementsOf(graph).size]);
      expect(quads.filter((quad) => quad.includes('_:'))).toEqual([]);
    }
  }, 60_000);

  it('comes back from RDF as it expands', async () => {
    for (const path of [
      '/node/5',
      '/node/9',
      '/node/12',
      '/media/1',
      '/media/19',
      '/entity/file/2',
      '/taxonomy/term/24',
    ]) {
      const graph = await read(path);
      const expanded = await jsonld.expand(inRdf(graph), options); // the library's own type of documents
      const back = await jsonld.fromRDF((await quadsOf(graph)).join('\n'), { format: 'application/n-quads' });
      const canonical = (document: object): Promise<string> =>
        jsonld.canonize(document, { ...options, algorithm: 'URDNA2015' }); // as above
      expect([path, await canonical(back)]).toEqual([path, await canonical(expanded)]);
      expect(expanded.length).toBeGreaterThan(0);
    }
  });
});

/** To renew: write what `quadsOf` gives into the file, and look at the difference line by line. */
const golden = (name: string): string[] =>
  readFileSync(join(root, 'test/representations/golden', `${name}.nq`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

describe('the N-Quads of a golden object', () => {
  it.each([
    ['/node/5', 'node-5'],
    ['/media/1', 'media-1'],
  ])('of %s are those of the file', async (path, name) => {
    expect(await quadsOf(await read(path))).toEqual(golden(name));
  });
});
