/**
 * Damages a store at rest: cut journals (D18), cut and overwritten snapshots (D19), missing and emptied files (D20), flipped
 * bits (D21), wrong shapes and an unknown format (D22), missing blobs (D28) and blobs of another length (D29).
 * Control: the damage is done and a sound store is expected.
 */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBelow } from './support/chance.mjs';
import { createLedger, createNode, getNode, idIn, patchNode, putMedia, send, sha256 } from './support/client.mjs';
import { filesIn, startAgain } from './support/crash.mjs';
import { atoll, serve, workDirectory } from './support/program.mjs';
import { endDecided, expect, finish, isControl, isShort, loss, round } from './support/report.mjs';

const place = workDirectory();
const sound = join(place, 'sound');
const ledger = createLedger();
const server = await serve(sound);
for (let number = 0; number < 20; number++) {
  await ledger.create('node', `node ${number}`, () => createNode(server.url, `node ${number}`));
}
const node = idIn(await createNode(server.url, 'with media'));
const content = Buffer.from('the bytes of a media');
const media = await ledger.create('media', sha256(content), () => putMedia(server.url, node, content, 'media'));
await server.stop();
const names = readdirSync(sound);
const snapshot = names
  .filter((name) => name.startsWith('snapshot-'))
  .sort()
  .at(-1);
const journal = names
  .filter((name) => name.startsWith('journal-'))
  .sort()
  .at(-1);

const damaged = (change) => {
  const data = join(place, 'damaged');
  rmSync(data, { recursive: true, force: true });
  cpSync(sound, data, { recursive: true });
  change(data);
  return data;
};

/** Refuses to start and to check, with exit code 4 and the file's name. */
const refuses = async (what, change, file) => {
  round();
  const data = damaged(change);
  const check = await atoll('check', '--data', data);
  if (isControl) expect(check.code === 0, `${what}: atoll check ended with ${check.code}`);
  else
    expect(
      check.code === 4 && check.stderr.includes(file),
      `${what}: atoll check ended with ${check.code}: ${check.stderr}`,
    );
  endDecided();
  if (isControl || isShort) return;
  await serve(data).then(
    (started) => (loss(`${what}: the server started`), started.kill()),
    (error) => expect(error.code === 4 && error.log.includes(file), `${what}: ${error.message}`),
  );
};

const edit = (name, change) => (data) => {
  const path = join(data, name);
  writeFileSync(path, change(readFileSync(path)));
};

// Any number of bytes of the last batch are gone. It was acknowledged, and the server stopped in order.
const bytes = readFileSync(join(sound, journal));
const lastLine = bytes.length - bytes.lastIndexOf(10, bytes.length - 2) - 1;
const step = isControl ? lastLine : Math.ceil(lastLine / (isShort ? 4 : 30));
for (let cut = 1; cut <= lastLine; cut += step) {
  await refuses(`${cut} bytes less`, (data) => truncateSync(join(data, journal), bytes.length - cut), journal);
}
await refuses(
  'the last 4 KiB are NUL',
  edit(journal, (old) => old.fill(0, Math.max(0, old.length - 4096))),
  journal,
);

// A repair says what is lost, and its store starts.
round();
const cut = damaged((copy) => truncateSync(join(copy, journal), bytes.length - lastLine));
const repaired = await atoll('check', '--data', cut, '--repair');
expect(isControl || (repaired.code === 0 && repaired.stdout.includes('lost: ')), `repair: ${repaired.stderr}`);
if (!isControl) {
  const started = await serve(cut);
  expect((await getNode(started.url, node)).status === 200, 'more than the last batch was lost');
  expect((await send(started.url, 'GET', `/media/${media}?_format=json`)).status === 404, 'a lost record is there');
  await started.kill();
}

// D19, D20
const length = readFileSync(join(sound, snapshot)).length;
for (const size of [0, 1, Math.floor(length / 2), length - 1]) {
  await refuses(`snapshot cut to ${size}`, (data) => truncateSync(join(data, snapshot), size), snapshot);
}
await refuses(
  'snapshot of NULs',
  edit(snapshot, (old) => Buffer.alloc(old.length)),
  snapshot,
);
await refuses(
  'journal of NULs',
  edit(journal, (old) => Buffer.alloc(old.length)),
  journal,
);
for (const text of ['null', '0', '[]', '{}', '']) {
  await refuses(
    `snapshot "${text}"`,
    edit(snapshot, () => text),
    snapshot,
  );
  await refuses(
    `journal "${text}"`,
    edit(journal, () => text),
    journal,
  );
}
await refuses('no journal', (data) => rmSync(join(data, journal)), journal);
await refuses('no marker', (data) => rmSync(join(data, 'atoll.json')), '');
await refuses(
  'nothing but blobs',
  (data) => {
    for (const name of readdirSync(data)) if (name !== 'blobs') rmSync(join(data, name));
  },
  '',
);

// D22: hand edits break the sums; an unknown format is refused.
await refuses(
  'an edited title',
  edit(snapshot, (old) => String(old).replace('"status"', '"Status"')),
  snapshot,
);
await refuses(
  'format 3',
  edit('atoll.json', (old) => String(old).replace('"format":3', '"format":4')),
  'atoll.json',
);

// D21
for (let number = 0; number < (isControl ? 3 : isShort ? 12 : 200); number++) {
  const file = number % 2 === 0 ? snapshot : journal;
  round();
  const data = damaged(
    edit(file, (old) => {
      old[randomBelow(old.length)] ^= 1 << randomBelow(8);
      return old;
    }),
  );
  const check = await atoll('check', '--data', data);
  const isNoticed = check.code === 4;
  expect(isControl ? !isNoticed : isNoticed, `a flipped bit in ${file}: atoll check ended with ${check.code}`);
}

// D28, D29
const wounds = {
  'a missing blob': (file) => rmSync(file),
  'a longer blob': (file) => writeFileSync(file, 'more', { flag: 'a' }),
  'a shorter blob': (file) => truncateSync(file, 3),
};
for (const [what, wound] of Object.entries(wounds)) {
  round();
  const data = damaged((copy) => {
    const [file] = filesIn(join(copy, 'blobs')).filter((name) => readFileSync(name).equals(content));
    wound(file);
  });
  const check = await atoll('check', '--data', data);
  expect(isControl ? check.code === 0 : check.code === 4, `${what}: atoll check ended with ${check.code}`);
  const started = await serve(data);
  const found = await send(started.url, 'GET', `/media/${media}?_format=json`);
  const source = found.json.field_media_file[0];
  const answers = [
    found,
    await send(started.url, 'GET', `/entity/file/${source.target_id}?_format=json`),
    await getNode(started.url, node),
    await send(started.url, 'GET', new URL(source.url).pathname),
  ].map(({ status }) => status);
  expect(answers.join() === '200,200,200,404', `${what}: ${answers.join()}`);
  if (what === 'a missing blob') expect(/bytes of file \d+ are missing/.test(started.log()), 'no report at the start');
  expect((await patchNode(started.url, node, { title: 'still works' })).status === 200, `${what}: writes stopped`);
  await started.kill();
}

round();
const last = await startAgain(sound, ledger, { all: true });
await last?.kill();
finish();
