/** Whether a harvester that is not ours gets every public object. Needs Python and PyPI: `npm run test:suite -- harvesters`. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { pythonIn, run } from '../../support/python.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const folder = join(root, 'coverage/harvesters');

const program = `
import json, sys
from sickle import Sickle
harvester = Sickle(sys.argv[1])
headers = list(harvester.ListIdentifiers(metadataPrefix='oai_dc'))
records = list(harvester.ListRecords(metadataPrefix='oai_dc'))
sets = list(harvester.ListSets())
by_set = {each.setSpec: len(list(harvester.ListIdentifiers(metadataPrefix='oai_dc', set=each.setSpec))) for each in sets}
one = harvester.GetRecord(identifier=headers[0].identifier, metadataPrefix='oai_dc')
print(json.dumps({
    'name': harvester.Identify().repositoryName,
    'formats': [each.metadataPrefix for each in harvester.ListMetadataFormats()],
    'identifiers': [each.identifier for each in headers],
    'titles': [each.metadata['title'][0] for each in records],
    'sets': by_set,
    'one': one.metadata['title'][0],
}))
`;

type Harvest = {
  readonly name: string;
  readonly formats: readonly string[];
  readonly identifiers: readonly string[];
  readonly titles: readonly string[];
  readonly sets: Readonly<Record<string, number>>;
  readonly one: string;
};

let server: TestServer;
let python: string;

beforeAll(async () => {
  python = await pythonIn(folder, join(import.meta.dirname, 'requirements.txt'));
  server = await startServer({ site: 'starter-site', fixture: 'sample:200' });
});
afterAll(() => server.stop());

it('Sickle gets every public object but collections, in parts, and each set', async () => {
  const { entities } = await server.world.store.list('node', { offset: 0, limit: 1000 });
  const collection = server.world.site.terms.find(({ fields }) => fields['name']?.[0]?.['value'] === 'Collection')?.tid;
  const wanted = entities.filter(
    ({ bundle, fields }) =>
      bundle === 'islandora_object' &&
      fields['status']?.[0]?.['value'] === true &&
      fields['field_model']?.[0]?.['target_id'] !== collection,
  );
  const harvest = JSON.parse(await run(folder, python, '-c', program, `${server.url}/oai/request`)) as Harvest; // what the program prints
  expect(harvest.identifiers.map((each) => Number(each.split('-').at(-1)))).toEqual(wanted.map(({ id }) => id));
  expect(harvest.titles).toEqual(wanted.map(({ fields }) => fields['title']?.[0]?.['value']));
  expect([harvest.name, harvest.formats, harvest.one]).toEqual(['Islandora 8', ['mods', 'oai_dc'], harvest.titles[0]]);
  expect(harvest.sets['oai_pmh:all_repository_items']).toBe(wanted.length);
});
