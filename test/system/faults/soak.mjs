/**
 * Asks a server 200,000 times: reads, lists, writes, uploads, worlds. What is created is deleted again, so nothing may grow.
 * After 20,000 requests of warm-up, what is alive may rise by at most 10 MB, and the process never has more than the 300 MB that
 * docs/use/limits.md states. The short form asks 30,000 times, and looks at the 300 MB and at gross leaks only. Control: the server
 * keeps something of every request, 60 MB of 15,000.
 */
import { writeFileSync } from 'node:fs';
import { workDirectory } from './support/program.mjs';
import { afterRequests, highest, serveWatched, slopeOf } from './support/memory.mjs';
import { expect, finish, isControl, isShort, optionOf, round } from './support/report.mjs';
import { createWork, runWorkers } from './support/soak-work.mjs';

const isBrief = isShort || isControl;
const [warmUp, all] = isControl ? [5000, 20_000] : isShort ? [10_000, 30_000] : [20_000, 200_000];
/** In a short time few full collections are made, and caches still fill. */
const mostMb = isBrief ? 40 : 10;
const ceilingMb = 300;

const { server, residentMb, alive, watch, descriptors } = await serveWatched(workDirectory(), { leaks: isControl });
const { turn, answered } = await createWork(server.url, {
  extra: () => ({ field_extent: 'x'.repeat(200) }),
  keeps: false,
});
const end = runWorkers(8, turn);
const warm = await watch(afterRequests(answered, warmUp));
const open = descriptors();
const measured = await watch(afterRequests(answered, all));
await end();
round();

const samples = [...warm, ...measured];
const left = alive();
const later = left.filter(({ seconds }) => seconds >= measured[0].seconds).map(({ seconds, mb }) => [seconds / 60, mb]);
const minutes = (measured.at(-1).seconds - measured[0].seconds) / 60;
const slope = slopeOf(later);
const between = later.map(([, size]) => size);
expect(later.length >= 3, `${later.length} full collections were made; nothing is known of what is alive`);
expect(
  !(slope * minutes > mostMb),
  `what is alive rises by ${slope.toFixed(2)} MB a minute for ${minutes.toFixed(1)} minutes; ${mostMb} MB are allowed`,
);
expect(highest(samples) <= ceilingMb, `${highest(samples).toFixed(0)} MB are resident; ${ceilingMb} are allowed`);
expect(descriptors() <= open + 5, `${descriptors()} descriptors are open, ${open} after the warm-up`);
process.stdout.write(
  `  ${answered()} requests; alive ${Math.min(...between).toFixed(0)} to ${Math.max(...between).toFixed(0)} MB in ` +
    `${between.length} collections, ${slope.toFixed(2)} MB a minute; resident ${residentMb().toFixed(0)} MB, ` +
    `at most ${highest(samples).toFixed(0)}\n`,
);
const file = optionOf('samples');
if (file !== undefined) writeFileSync(file, JSON.stringify({ samples, alive: left, requests: answered() }));
const { code } = await server.stop();
expect(code === 0, `the process ended with ${code}`);
finish();
