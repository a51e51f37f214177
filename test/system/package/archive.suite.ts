/**
 * The archives that people download: one with Node for this system, and the tarball. The archive is unpacked and run with no PATH and no
 * Node but its own. `installed.suite.ts` runs it with the package that it has packed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { freePort } from '../../support/free-port.ts';
import { createObject, isDerivative, settledReactions, uploadOriginal } from '../../support/originals.ts';
import { pngBytes } from '../../support/png.ts';
import { until } from '../../support/until.ts';
import { removeFolder, run, temporaryFolder, type Ended, type Packed } from './packed.ts';

const system = `${process.platform}-${process.arch}`;
const archives = 'scripts/archives.mjs';

type Component = { name: string; version: string; hashes?: { alg: string; content: string }[] };
type Bom = { bomFormat: string; metadata: { component: Component }; components: Component[] };

const runWell = async (folder: string, command: string, ...args: string[]): Promise<string> => {
  const { code, output } = await run(folder, command, args);
  if (code !== 0) throw new Error(output);
  return output;
};

/** Nothing of this machine is in the environment: no PATH, no home. */
const empty = { env: {} as NodeJS.ProcessEnv };

const ended = async (command: string, ...args: string[]): Promise<Ended> => {
  const child = spawn(command, args, empty);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()));
  const [code] = (await once(child, 'close')) as [number]; // Node: the exit code
  return { code, output };
};

/** The package is packed before the first test, and `dist` is as it was then. */
export const describeArchive = (packedNow: () => Packed): void => {
  let place: string;
  let out: string;
  let names: readonly string[];
  let name: string;
  let home: string;
  let tarball: string;

  beforeAll(async () => {
    ({ tarball } = packedNow());
    place = await temporaryFolder();
    out = join(place, 'release');
    await runWell(root, process.execPath, archives, out, tarball);
    names = await readdir(out);
    const file = names.find((each) => each.endsWith('.tar.gz')) ?? '';
    name = file.replace('.tar.gz', '');
    // A place whose name needs quotes.
    const unpacked = join(place, 'my programs');
    await mkdir(unpacked);
    await runWell(unpacked, 'tar', '-xzf', join(out, file));
    home = join(unpacked, name);
  }, 600_000);
  afterAll(() => removeFolder(place));

  const sha256 = async (file: string): Promise<string> =>
    createHash('sha256')
      .update(await readFile(join(out, file)))
      .digest('hex');
  const bomOf = async (file: string): Promise<Bom> =>
    JSON.parse(await readFile(join(out, `${file}.cdx.json`), 'utf8')) as Bom; // CycloneDX

  describe('The folder of a release', () => {
    it('has the tarball and an archive for this system, each with a bill of materials, and checksums of all', async () => {
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }; // ours
      const files = [`atoll-${version}-${system}.tar.gz`, `atoll-server-${version}.tgz`];
      const all = [...files, ...files.map((file) => `${file}.cdx.json`)].sort();
      expect([...names].sort()).toEqual(['SHA256SUMS', ...all]);
      const sums = (await readFile(join(out, 'SHA256SUMS'), 'utf8')).trimEnd().split('\n');
      expect(sums).toEqual(await Promise.all(all.map(async (file) => `${await sha256(file)}  ${file}`)));
    });

    it('names in each bill the hash of its file, and of everything that is in it', async () => {
      for (const file of names.filter((each) => /gz$/.test(each))) {
        const { bomFormat, metadata, components } = await bomOf(file);
        expect([bomFormat, metadata.component.hashes]).toEqual([
          'CycloneDX',
          [{ alg: 'SHA-256', content: await sha256(file) }],
        ]);
        expect(components.length).toBeGreaterThan(50);
        expect(components.filter(({ hashes }) => !/^[0-9a-f]{64,128}$/.test(hashes?.[0]?.content ?? ''))).toEqual([]);
      }
      const own = (await bomOf(`${name}.tar.gz`)).components.map((each) => `${each.name} ${each.version}`);
      expect(own).toEqual(
        expect.arrayContaining([`node ${process.versions.node}`, expect.stringMatching(/^client-s3 /)]),
      );
    });

    it('is made for each distribution of Node in a folder that is named, and is refused for a folder with none', async () => {
      const nodes = join(place, 'nodes');
      const other = join(place, 'release-of-others');
      await mkdir(nodes);
      expect(await run(root, process.execPath, [archives, other, tarball, `--nodes=${nodes}`])).toMatchObject({
        code: 1,
        output: expect.stringContaining('has no folder such as node-v22.21.1-linux-x64'),
      });
      await removeFolder(other);
      await cp(process.execPath, join(nodes, 'node-v1.2.3-linux-arm64/bin/node'));
      await cp(join(root, 'LICENSE'), join(nodes, 'node-v1.2.3-win-x64/node.exe'));
      const image = join(place, 'linux-x64.tar.gz');
      await cp(join(root, 'LICENSE'), image);
      await runWell(root, process.execPath, archives, other, tarball, `--nodes=${nodes}`, `--image=${image}`);
      const made = (await readdir(other)).filter((each) => /\.(zip|tar\.gz)$/.test(each));
      const [of, ...systems] = made.map((each) => each.replace(/^atoll-[^-]+-/, ''));
      expect([of, ...systems]).toEqual(['image-linux-x64.tar.gz', 'linux-arm64.tar.gz', 'win-x64.zip']);
      const bom = JSON.parse(await readFile(join(other, `${made[0]}.cdx.json`), 'utf8')) as Bom; // CycloneDX
      expect(bom.components.map((each) => each.name)).toEqual(expect.arrayContaining(['node', 'alpine', 'client-s3']));
      expect(await readFile(join(other, 'SHA256SUMS'), 'utf8')).toContain(`  ${made[0]}\n`);
    }, 300_000);
  });

  describe('The archive, with an empty environment', () => {
    it('says its version, also through links to its launcher', async () => {
      const said = { code: 0, output: expect.stringContaining(name.split('-')[1] ?? '') };
      expect(await ended(join(home, 'atoll'), '--version')).toEqual(said);
      await symlink(join(home, 'atoll'), join(place, 'atoll'));
      await symlink('atoll', join(place, 'second'));
      expect(await ended(join(place, 'second'), '--version')).toEqual(said);
    });

    it('passes on what a command ends with', async () => {
      expect(await ended(join(home, 'atoll'), 'serve', '--nonsense')).toMatchObject({
        code: expect.not.stringMatching(/^0$/),
        output: expect.stringContaining('--nonsense'),
      });
    });

    /** Serves with these options while `use` is under way. */
    const served = async (options: readonly string[], use: (url: string) => Promise<void>): Promise<void> => {
      const port = await freePort();
      const child = spawn(join(home, 'atoll'), ['serve', '--port', String(port), ...options], empty);
      try {
        const url = `http://localhost:${port}`;
        await until(
          () =>
            fetch(`${url}/_atoll/health`).then(
              ({ ok }) => ok,
              () => false,
            ),
          'it serves',
          60_000,
        );
        await use(url);
      } finally {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
    };

    it('makes the thumbnail of a picture', () =>
      served(['--memory', '--site', 'starter-site', '--fixture', 'empty'], async (url) => {
        expect(await uploadOriginal(url, await createObject(url, 'png'), 'png', pngBytes(400, 300))).toBe(201);
        const made = (await settledReactions(url)).filter(isDerivative);
        expect(made.length).toBeGreaterThan(0);
        expect(made.filter(({ state, message }) => state !== 'done' || message !== undefined)).toEqual([]);
      }));

    it('serves a picture of an object', async () => {
      const begun = Date.now();
      await served(['--data', join(place, 'data')], async (url) => {
        const headers = { Authorization: `Basic ${Buffer.from('viewer:viewer').toString('base64')}` };
        const media = await fetch(`${url}/node/5/media?_format=json`, { headers });
        const found = JSON.stringify(await media.json());
        const [, address = ''] = /"url":"([^"]+\.(?:png|jpe?g|webp))"/.exec(found) ?? [];
        const picture = await fetch(new URL(address, url), { headers });
        expect([picture.status, picture.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
        expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000);
        process.stdout.write(`archive: ${Date.now() - begun} ms from the launcher to a picture of an object\n`);
        const page = await fetch(`${url}/_atoll/`);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
      });
    });
  });
};
