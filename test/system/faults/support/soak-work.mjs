/** What the clients of a soak do: reads, lists, writes, uploads, worlds. What is made is deleted again. */
import { randomBelow } from './chance.mjs';
import { createNode, getNode, idIn, patchNode, putMedia, send } from './client.mjs';
import { acknowledged, expect } from './report.mjs';

/** `extra` are more fields of each node. `keeps`: what is made stays. */
export const createWork = async (url, { extra, keeps }) => {
  let answered = 0;
  /** Nodes, and media with their files. */
  let made = 0;
  const note = (wanted, { status, error }) => {
    expect(status === wanted, `answered ${status} where ${wanted} was due ${error?.cause ?? ''}`);
    answered += 1;
    return status === wanted;
  };
  const kept = [];
  for (let number = 0; number < 200; number += 1) kept.push(idIn(await createNode(url, `kept ${number}`)));
  const any = () => kept[randomBelow(kept.length)];
  const get = async (path, from = url) => note(200, await send(from, 'GET', path));
  const remove = async (path) => note(204, await send(url, 'DELETE', `${path}?_format=json`));

  const write = async () => {
    const answer = await createNode(url, 'comes and goes', extra());
    if (!note(201, answer)) return;
    acknowledged(1);
    made += 1;
    if (keeps) return;
    note(200, await patchNode(url, idIn(answer), { title: 'changed' }));
    await remove(`/node/${idIn(answer)}`);
  };
  /** A second upload to the same node would replace the bytes of the first, so each worker has a node of its own. */
  const upload = async (node, name) => {
    const answer = await putMedia(url, node, `${name} ${'b'.repeat(20_000)}`, name);
    if (!note(201, answer)) return;
    acknowledged(1);
    made += 2;
    if (keeps) return;
    const media = idIn(answer);
    const { json } = await send(url, 'GET', `/media/${media}?_format=json`);
    await remove(`/media/${media}`);
    await remove(`/entity/file/${json.field_media_file[0].target_id}`);
  };
  const world = async (name) => {
    const headers = { 'content-type': 'application/json' };
    const made = await send(url, 'POST', '/_atoll/worlds', { body: JSON.stringify({ name, from: 'main' }), headers });
    if (!note(201, made)) return;
    const own = `${url}/~${name}`;
    for (let turn = 0; turn < 5; turn += 1) await get(`/node/${any()}?_format=json`, own);
    if (note(201, await createNode(own, 'in a world', extra()))) acknowledged(1);
    note(204, await send(url, 'DELETE', `/_atoll/worlds/${name}`));
  };
  const lists = [
    () => `/node/${any()}/members?_format=json`,
    () => `/node/${any()}/media?_format=json`,
    () => '/vocabulary?vid=islandora_models&_format=json',
    () => '/_atoll/entities?type=node',
  ];
  const holder = async () => idIn(await createNode(url, 'a holder'));
  /** One of ten turns. Half of them read. */
  const turn = async (worker, number) => {
    const kind = number % 10;
    if (kind < 5) await get(`/node/${any()}?_format=${kind % 2 === 0 ? 'json' : 'jsonld'}`);
    else if (kind === 5) await get(lists[Math.floor(number / 10) % lists.length]());
    else if (kind < 8) await write();
    else if (kind === 8) await upload(keeps ? await holder() : kept[worker], `soak-${worker}-${number}`);
    else await (keeps ? write() : world(`soak-${worker}-${number}`));
    if (number % 50 === 0) await get('/jwt/token');
  };
  return { turn, answered: () => answered, made: () => made };
};

/** Runs turns until the returned function is called, which resolves when the last one has ended. */
export const runWorkers = (count, turn) => {
  let isOver = false;
  const run = async (worker) => {
    for (let number = 0; !isOver; number += 1) await turn(worker, number);
  };
  const running = Promise.all(Array.from({ length: count }, (_, worker) => run(worker)));
  return () => {
    isOver = true;
    return running;
  };
};
