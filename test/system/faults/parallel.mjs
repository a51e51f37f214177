/**
 * 200 PATCHes of one node at once that set different fields (D35), a reader beside 1,000 PATCHes that change two fields
 * together (D36), and deeply nested bodies followed by an ordinary one (D24). Control: a pair that never was is expected.
 */
import { join } from 'node:path';
import { createLedger, createNode, getNode, idIn, patchNode, send } from './support/client.mjs';
import { startAgain } from './support/crash.mjs';
import { serve, workDirectory } from './support/program.mjs';
import { acknowledged, expect, finish, isControl, isShort, loss, round, roundsOf } from './support/report.mjs';

const data = join(workDirectory(), 'data');
const server = await serve(data);
const ledger = createLedger();

/** Text fields of the default site, and what each gets; the title is left to the ledger. */
const fields = [
  'field_alternative_title',
  'field_description',
  'field_pid',
  'field_rights',
  'field_identifier',
  'field_extent',
];

const patchAtOnce = async () => {
  const id = idIn(await createNode(server.url, 'patched'));
  ledger.settle(`node:${id}`, 'patched');
  const before = (await getNode(server.url, id)).json.vid[0].value;
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, number) =>
      patchNode(server.url, id, { [fields[number % fields.length]]: `${fields[number % fields.length]} value` }),
    ),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length === 0, `${refused.length} PATCHes were refused: ${refused[0]?.status} ${refused[0]?.bytes}`);
  acknowledged(answers.length - refused.length);
  const { json } = await getNode(server.url, id);
  for (const name of fields) expect(json[name]?.[0]?.value === `${name} value`, `the change of ${name} is lost`);
  expect(json.vid[0].value === before, 'the revision changed');
};

const readBeside = async () => {
  const id = idIn(await createNode(server.url, 'pair 0', { field_description: 'pair 0' }));
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const { json } = await getNode(server.url, id);
      const [title, description] = [json.title[0].value, json.field_description[0].value];
      if ((title === description) === isControl) return loss(`a reader saw "${title}" with "${description}"`);
    }
  })();
  for (let number = 1; number <= (isShort || isControl ? 100 : 1000); number++) {
    const pair = `pair ${number}`;
    const answer = await patchNode(server.url, id, { title: pair, field_description: pair });
    expect(answer.status === 200, `PATCH ${number} was answered ${answer.status}`);
    acknowledged(1);
    ledger.settle(`node:${id}`, pair);
  }
  isOver = true;
  await reading;
};

const nestDeeply = async () => {
  const id = idIn(await createNode(server.url, 'shallow'));
  for (const depth of [33, 1000, 5000, 40_000]) {
    const deep = `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    const body = `{"type":[{"target_id":"islandora_object"}],"title":[{"value":"deep"}],"field_description":${deep}}`;
    const headers = { 'content-type': 'application/json' };
    for (const [method, path] of [
      ['POST', '/node?_format=json'],
      ['PATCH', `/node/${id}?_format=json`],
    ]) {
      const answer = await send(server.url, method, path, { body, headers });
      expect(answer.status === 400, `${method} with ${depth} levels was answered ${answer.status}`);
    }
    const ordinary = await ledger.create('node', 'ordinary', () => createNode(server.url, 'ordinary'));
    if (ordinary === undefined) loss(`an ordinary POST after ${depth} levels was refused`);
  }
};

for (let number = 0; number < roundsOf(10, 2); number++) {
  round();
  await patchAtOnce();
}
for (const task of [readBeside, nestDeeply]) {
  round();
  await task();
}
await server.kill();
const again = await startAgain(data, ledger, { all: true });
await again?.kill();
finish();
