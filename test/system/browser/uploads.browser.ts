/** Uploads in a real browser: what could run does not, and a video seeks. Run by `npm run test:suite -- browser`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.mjs';
import { startServer, type TestServer } from '../../support/server.ts';
import { newNode, theMedia, upload } from '../../support/uploads.ts';

if (!existsSync('/usr/bin/ffmpeg')) {
  throw new Error('/usr/bin/ffmpeg cannot be found. On Debian: apt-get install ffmpeg');
}

/** Leaves a mark where a script that ran could be seen: in a request of the API's origin, and in the title. */
const script = "document.title = 'RAN'; fetch('/ran-' + document.location.pathname.length)";
const html = `<!doctype html><title>quiet</title><h1>Page</h1><script>${script}</script>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><title>quiet</title><rect width="20" height="20"/><script>${script}</script></svg>`;

let server: TestServer;
let browser: Browser;
let embedding: Server;
let folder: string;
const urls: Record<string, string> = {};

/** 30 s of moving picture with a key frame every second, so that seeking needs a later part of the file. */
const makeVideo = (file: string): void => {
  execFileSync('/usr/bin/ffmpeg', [
    ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc=duration=30:size=640x360:rate=25'],
    ...['-c:v', 'libx264', '-g', '25', '-b:v', '3M', '-minrate', '3M', '-maxrate', '3M', '-bufsize', '3M'],
    ...['-pix_fmt', 'yuv420p', '-movflags', '+faststart', file],
  ]);
};

const store = async (name: string, type: string, body: Uint8Array, mediaType = 'file'): Promise<void> => {
  const node = await newNode(server);
  const headers = { 'Content-Type': type, 'Content-Location': `public://browser/${name}` };
  const made = await upload(server, node, body, { headers, type: mediaType });
  expect(made.status).toBe(201);
  urls[name] = server.url + (await theMedia(server, node)).contentPath;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-browser-'));
  server = await startServer({
    onDisk: true,
    cors: 'off',
    siteFile: 'bundles/media.file.yml',
    changeSite: (yaml) => yaml.replace('extensions: [txt,', 'extensions: [txt, html, svg,'),
  });
  makeVideo(join(folder, 'film.mp4'));
  await store('page.html', 'text/html', Buffer.from(html));
  await store('drawing.svg', 'image/svg+xml', Buffer.from(svg));
  await store('liar.txt', 'image/png', Buffer.from(html));
  await store('film.mp4', 'video/mp4', await readFile(join(folder, 'film.mp4')), 'video');
  embedding = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html>
      <iframe src="${urls['page.html']}"></iframe><iframe src="${urls['drawing.svg']}"></iframe>
      <object data="${urls['drawing.svg']}"></object><img id="image" src="${urls['drawing.svg']}">
      <script src="${urls['liar.txt']}"></script><video id="video" muted src="${urls['film.mp4']}"></video>`);
  });
  await new Promise<void>((resolve) => embedding.listen(0, '127.0.0.1', resolve));
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser.close();
  embedding.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page and notes what the API's origin is asked for. */
const watched = async (work: (page: Page) => Promise<void>): Promise<{ asked: string[]; titles: string[] }> => {
  const context = await browser.newContext();
  const asked: string[] = [];
  const titles: string[] = [];
  context.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const page = await context.newPage();
  await work(page);
  await page.waitForTimeout(500);
  for (const open of context.pages()) for (const frame of open.frames()) titles.push(await frame.title());
  await context.close();
  return { asked, titles };
};

const embeddingUrl = (): string => `http://127.0.0.1:${(embedding.address() as AddressInfo).port}/`; // it listens on a port

describe('U30 What could run', () => {
  it('would be seen if it ran: the same page from elsewhere runs its script', async () => {
    const { asked, titles } = await watched(async (page) => {
      await page.route('http://elsewhere.test/**', (route) => route.fulfill({ contentType: 'text/html', body: html }));
      await page.goto('http://elsewhere.test/page.html');
      await page.waitForFunction('document.title === "RAN"');
    });
    expect([titles, asked.some((path) => path.startsWith('/ran-'))]).toEqual([['RAN'], true]);
  });

  it.each(['page.html', 'drawing.svg'])('does not run when it is opened on the API’s origin: %s', async (name) => {
    let downloaded = '';
    const { asked, titles } = await watched(async (page) => {
      const download = page.waitForEvent('download');
      // A download is no page: the browser breaks the navigation off.
      await page.goto(urls[name] ?? '').catch(() => undefined);
      downloaded = (await download).suggestedFilename();
    });
    expect(downloaded).toBe(name);
    expect(titles).not.toContain('RAN');
    expect(asked.filter((path) => path.startsWith('/ran-'))).toEqual([]);
  });

  it.each(['page.html', 'drawing.svg'])('does not run even where the attachment is ignored: %s', async (name) => {
    const { asked, titles } = await watched(async (page) => {
      await page.route(urls[name] ?? '', async (route) => {
        const response = await route.fetch();
        const headers = { ...response.headers(), 'content-disposition': 'inline' };
        await route.fulfill({ response, headers });
      });
      await page.goto(urls[name] ?? '');
      expect(await page.content()).toContain(name === 'page.html' ? 'Page' : 'rect');
    });
    expect(titles).not.toContain('RAN');
    expect(asked.filter((path) => path.startsWith('/ran-'))).toEqual([]);
  });

  it('does not run in frames, objects or as a script of another page, and an SVG is still an image', async () => {
    let width = 0;
    const { asked, titles } = await watched(async (page) => {
      await page.goto(embeddingUrl());
      width = await page.evaluate<number>("document.getElementById('image').naturalWidth");
    });
    expect(width).toBe(20);
    expect(titles).not.toContain('RAN');
    expect(asked.filter((path) => path.startsWith('/ran-'))).toEqual([]);
  });
});

describe('A video', () => {
  it('seeks: the browser asks for a later part and shows it', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const ranges: string[] = [];
    const statuses: number[] = [];
    page.on('request', (request) => {
      if (request.url() === urls['film.mp4']) ranges.push(request.headers()['range'] ?? 'whole');
    });
    page.on('response', (response) => {
      if (response.url() === urls['film.mp4']) statuses.push(response.status());
    });
    await page.goto(embeddingUrl());
    const seen = await page.evaluate<{ duration: number; seekable: number; at: number; state: number }>(`
      new Promise((resolve, reject) => {
        const video = document.getElementById('video');
        video.onerror = () => reject(new Error(video.error.message));
        video.onseeked = () => resolve({ duration: video.duration, seekable: video.seekable.end(0), at: video.currentTime, state: video.readyState });
        const seek = () => { video.currentTime = 27; };
        if (video.readyState >= 1) seek(); else video.onloadedmetadata = seek;
      })`);
    await context.close();
    expect(seen.duration).toBeCloseTo(30, 0);
    expect(seen.seekable).toBeCloseTo(30, 0);
    expect(seen.at).toBeCloseTo(27, 0);
    expect(seen.state).toBeGreaterThanOrEqual(2);
    expect(new Set(statuses)).toEqual(new Set([206]));
    const later = ranges.map((range) => Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0));
    expect(Math.max(...later)).toBeGreaterThan(1_000_000);
  });
});
