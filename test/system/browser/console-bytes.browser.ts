/** The bytes of media and files in the console: players, ranges, and that nothing runs that was stored. Run by `npm run test:suite -- browser`. */
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../support/atoll.ts';
import { actAs, checkLooks, pictureWidth, useConsole } from './console-support.ts';

/** Seconds, when the browser knows them. */
const duration = (page: Page, element: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const media = document.querySelector('${element}');
    if (media.readyState > 0) resolve(media.duration);
    media.onloadedmetadata = () => resolve(media.duration);
    media.onerror = () => reject(media.error);
  })`);
const admin = { authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}` };
const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
const valueOf = (page: Page, label: string): Promise<string> =>
  page
    .locator('.object-fields > div', { has: page.locator('dt', { hasText: label }) })
    .first()
    .locator('dd')
    .innerText();

/** The default site, which lets media have pages and drawings too. */
const siteWithPages = async (folder: string): Promise<readonly string[]> => {
  const site = join(folder, 'site');
  await cp(join(root, 'data/site'), site, { recursive: true });
  const file = join(site, 'bundles/media.file.yml');
  const yaml = await readFile(file, 'utf8');
  await writeFile(file, yaml.replace('extensions: [txt,', 'extensions: [txt, html, svg,'));
  return ['--memory', '--site', site, '--fixture', 'starter'];
};

describe('The bytes of media and files', () => {
  const run = useConsole(siteWithPages);

  /** Stores the bytes as a media of the node 5. Returns the id of the media. */
  const uploaded = async (name: string, bundle: string, body: Uint8Array): Promise<number> => {
    const types: Readonly<Record<string, string>> = { mp4: 'video/mp4', html: 'text/html', svg: 'image/svg+xml' };
    const headers = {
      ...admin,
      'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain',
      'content-location': `public://console/${name}`,
    };
    await run.ask(`/node/4/media/${bundle}/${bundle === 'video' ? 16 : name.endsWith('svg') ? 17 : 18}`, {
      method: 'PUT',
      headers,
      body,
    });
    const asked = await run.ask(`/_atoll/entities?type=media&media_of=4&order=-id&limit=1`);
    const { entities } = (await asked.json()) as { entities: { id: number }[] };
    return entities[0]?.id ?? 0;
  };

  it('plays and shows media: audio, video, PDF, text', async () => {
    const filmId = await uploaded('film.mp4', 'video', await film());
    const page = await run.open('/entities/node/12?tab=media');
    await actAs(page, 'admin');
    const audio = page.locator('audio');
    await audio.waitFor();
    expect(await duration(page, 'audio')).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^Transcript/ }).click();
    await page.getByRole('region', { name: /^The text of/ }).waitFor();
    await checkLooks(page, 'object-media');
    await run.open('/entities/media/1');
    await page.locator('img.lead-picture').waitFor();
    await page.locator('.object-fields').first().waitFor();
    await checkLooks(page, 'media');
    await run.open(`/entities/media/${filmId}?tab=media`);
    await page.locator('video').waitFor();
    expect(await duration(page, 'video')).toBeCloseTo(3, 0);
    await checkLooks(page, 'object-video');
    await run.open('/entities/node/18?tab=media');
    await page.getByRole('link', { name: /^Save .*\.pdf$/ }).waitFor();
    await page.locator('iframe').or(page.getByText('The console shows no application/pdf')).waitFor();
    await checkLooks(page, 'object-pdf');
  });

  it('says where bytes lie, their hash, and tests ranges', async () => {
    const page = await run.open('/entities/file/1?tab=media');
    await actAs(page, 'admin');
    const bytes = await (
      await run.ask('/_flysystem/fedora/2019-03/fleet-at-anchor.png', { headers: admin })
    ).arrayBuffer();
    await page.getByText(createHash('sha1').update(new Uint8Array(bytes)).digest('hex')).waitFor();
    expect(await valueOf(page, 'Where the bytes lie')).toBe('fedora://2019-03/fleet-at-anchor.png');
    await page.getByRole('button', { name: 'Test ranges' }).click();
    const results = page.getByRole('region', { name: 'The responses to the ranges' });
    await results.waitFor();
    const rows =
      await page.evaluate(`[...document.querySelectorAll('[aria-label="The responses to the ranges"] tbody tr')].map((row) =>
      [...row.cells].map((cell) => cell.innerText.trim()))`);
    expect(rows).toEqual([
      ['bytes=0-99', '206 as expected', `bytes 0-99/${bytes.byteLength}`, '100'],
      [
        'bytes=-10',
        '206 as expected',
        `bytes ${bytes.byteLength - 10}-${bytes.byteLength - 1}/${bytes.byteLength}`,
        '10',
      ],
      [`bytes=${bytes.byteLength}-`, '416 as expected', `bytes */${bytes.byteLength}`, expect.any(String)],
    ]);
    await page.getByRole('link', { name: 'fleet-at-anchor.png', exact: true }).waitFor();
    await checkLooks(page, 'object-file');
  });

  it('runs nothing of what was stored', async () => {
    const attack = '<img src=x onerror="globalThis.attacked = true"><script>globalThis.attacked = true</script>';
    const body = JSON.stringify({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: attack }], field_model: [{ target_id: 24 }] },
      field_description: [{ value: attack }],
    });
    const made = await run.ask('/node?_format=json', {
      ...{ method: 'POST', body, headers: { ...admin, 'content-type': 'application/json' } },
    });
    const { nid } = (await made.json()) as { nid: { value: number }[] };
    const page = await run.open(`/entities/node/${nid[0]?.value}`);
    await heading(page, attack);
    expect(await valueOf(page, 'Description')).toBe(attack);
    for (const name of ['Links', 'Raw HTTP']) {
      await tab(page, name);
      await page.getByRole('tabpanel').getByRole('heading').first().waitFor();
    }
    expect(await page.evaluate('globalThis.attacked')).toBeUndefined();
  });

  it('shows an uploaded page as text and a drawing as an image, and runs neither', async () => {
    const script = '<script>globalThis.top.attacked = true; document.title = "RAN"</script>';
    const html = await uploaded('page.html', 'file', Buffer.from(`<!doctype html><h1>A page</h1>${script}`));
    const svg = await uploaded(
      'drawing.svg',
      'file',
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60"/>${script}</svg>`,
      ),
    );
    const page = await run.open(`/entities/media/${html}?tab=media`);
    await actAs(page, 'admin');
    expect(await page.getByRole('region', { name: 'The text of page.html' }).innerText()).toContain('<script>');
    await run.open(`/entities/media/${svg}?tab=media`);
    await page.locator('.shown-image').waitFor();
    expect(await pictureWidth(page, '.shown-image')).toBe(80);
    expect(await page.evaluate('[globalThis.attacked, document.title]')).toEqual([undefined, 'drawing.svg · Atoll']);
    expect(await page.locator('iframe, object, embed').count()).toBe(0);
  });
});

/** Three seconds of moving picture, as browsers play it. */
const film = async (): Promise<Uint8Array> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-console-film-'));
  const file = join(folder, 'film.mp4');
  execFileSync('/usr/bin/ffmpeg', [
    ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc=duration=3:size=320x240:rate=10'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', file],
  ]);
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
};
