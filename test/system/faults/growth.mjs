/**
 * Fills a server with 60,000 requests: nodes, media, files, and reads in between. What is alive may grow by at most 2 bytes for each byte
 * of the records, as the files of the store have them. The short form asks 12,000 times. Control: the server keeps something of
 * every request.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workDirectory } from './support/program.mjs';
import { afterRequests, highest, mb, serveWatched, slopeOf } from './support/memory.mjs';
import { expect, finish, isControl, isShort, optionOf, round } from './support/report.mjs';
import { createWork, runWorkers } from './support/soak-work.mjs';

const isBrief = isShort || isControl;
const all = isControl ? 6000 : isShort ? 12_000 : 60_000;
/** While caches still fill, the short form met 1.5 to 1.6, and 6.8 with its leak. */
const most = isBrief ? 3 : 2;

/** The newest snapshot and the journals since: all records once, because nothing is changed. */
const recordsIn = (directory) => {
  const found = readdirSync(directory).flatMap((name) => {
    const [, kind, generation] = /^(snapshot|journal)-(\d+)\.jsonl?$/.exec(name) ?? [];
    return kind === undefined
      ? []
      : [{ kind, generation: Number(generation), size: statSync(join(directory, name)).size }];
  });
  const newest = Math.max(...found.filter(({ kind }) => kind === 'snapshot').map(({ generation }) => generation));
  return found
    .filter(({ kind, generation }) => (kind === 'snapshot' ? generation === newest : generation >= newest))
    .reduce((sum, { size }) => sum + size, 0);
};

const directory = workDirectory();
// In a short time V8 makes few full collections, at moments of its own: what is alive would be known badly.
const collecting = isBrief ? { collectMs: 1000 } : {};
const { server, alive, watch } = await serveWatched(directory, { leaks: isControl, ...collecting });
const { turn, answered, made } = await createWork(server.url, {
  extra: () => ({ field_description: randomBytes(750).toString('hex') }),
  keeps: true,
});
const before = made();
const end = runWorkers(8, turn);
const samples = await watch(afterRequests(answered, all), () => ({ made: made() }));
await end();
round();
const { code } = await server.stop();
expect(code === 0, `the process ended with ${code}`);

const bytesEach = recordsIn(join(directory, 'data')) / made();
const dataAt = (seconds) => ((samples.findLast((each) => each.seconds <= seconds)?.made ?? before) * bytesEach) / mb;
// What a server needs until all of it has run once is not for the data.
const [first] = samples;
const points = alive()
  .filter(({ seconds }) => seconds > first.seconds)
  .map(({ seconds, mb: size }) => ({ seconds, mb: size, data: dataAt(seconds) }))
  .filter(({ data }) => data > dataAt(Infinity) / 5);
const slope = slopeOf(points.map(({ data, mb: size }) => [data, size]));
expect(points.length >= 3, `${points.length} full collections were made; nothing is known of what is alive`);
expect(!(slope > most), `${slope.toFixed(2)} bytes more are alive for each byte of the records; ${most} are allowed`);
process.stdout.write(
  `  ${answered()} requests, ${dataAt(Infinity).toFixed(0)} MB of records in ${made()} objects; alive ` +
    `${points.at(-1)?.mb.toFixed(0)} MB, ${slope.toFixed(2)} bytes for each byte; resident at most ${highest(samples).toFixed(0)} MB\n`,
);
const file = optionOf('samples');
if (file !== undefined) {
  const withData = samples.map((each) => ({ ...each, data: dataAt(each.seconds) }));
  writeFileSync(file, JSON.stringify({ samples: withData, alive: alive(), requests: answered() }));
}
finish();
