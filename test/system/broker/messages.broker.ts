/** Messages over a real broker; run by `npm run test:suite -- broker`, never without one. A service in this file answers them. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type IMessage, StompHeaders } from '@stomp/stompjs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TcpSocket } from '../../events/tcp-socket.ts';
import { root } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type RabbitMq, startRabbitMq } from './rabbitmq.ts';

type Content = { readonly mimetype: string; readonly source_uri: string; readonly destination_uri: string };

let broker: RabbitMq;
let folder: string;
let server: TestServer;
let service: Client;
const served: string[] = [];

/** The starter site whose queues are named as this broker names them. */
const siteFor = async (place: string): Promise<string> => {
  const site = join(place, 'site');
  await cp(join(root, 'data/sites/starter-site'), site, { recursive: true });
  const file = join(site, 'living.yml');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/queue: (islandora-[\w-]+)/g, "queue: '/queue/$1'"));
  return site;
};

/** What a microservice does: it reads the source and puts its result where the message says, with the token of the message. */
const serve = async ({ headers, body }: IMessage): Promise<void> => {
  const { attachment } = JSON.parse(body) as { attachment: { content: Content & { file_upload_uri: string } } }; // a message
  const { mimetype, source_uri: source, destination_uri: to, file_upload_uri: place } = attachment.content;
  const Authorization = headers['Authorization'] ?? '';
  const original = await fetch(source, { headers: { Authorization } });
  const made = await fetch(to, {
    method: 'PUT',
    headers: { Authorization, 'Content-Type': mimetype, 'Content-Location': place },
    body: await original.arrayBuffer(),
  });
  served.push(`${original.status} ${made.status}`);
};

const subscribed = (port: number): Promise<Client> =>
  new Promise((resolve) => {
    const client = new Client();
    client.webSocketFactory = () => new TcpSocket('127.0.0.1', port);
    client.connectHeaders = Object.assign(new StompHeaders(), { login: 'guest', passcode: 'guest', host: '/' });
    client.onConnect = () => {
      client.subscribe('/queue/islandora-connector-houdini', (message) => void serve(message));
      resolve(client);
    };
    client.activate();
  });

beforeAll(async () => {
  broker = await startRabbitMq();
  folder = await mkdtemp(join(tmpdir(), 'atoll-broker-site-'));
  const events = `stomp://guest:guest@127.0.0.1:${broker.port}/%2F`;
  server = await startServer({ site: await siteFor(folder), fixture: 'empty', events });
  service = await subscribed(broker.port);
});

afterAll(async () => {
  await service.deactivate();
  await server.stop();
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
});

type Asked = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

const asAdmin = (path: string, init: Asked = {}): Promise<Response> =>
  fetch(server.url + path, {
    ...init,
    headers: { Authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}`, ...init.headers },
  });

it('a picture gets its derivatives from a service behind the broker', async () => {
  const created = await asAdmin('/node?_format=json', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A picture' }] },
      field_model: [{ target_id: 13 }],
    }),
  });
  expect(created.status).toBe(201);
  const { nid } = (await created.json()) as { nid: [{ value: number }] }; // a node has one
  const uploaded = await asAdmin(`/node/${nid[0].value}/media/image/3`, {
    method: 'PUT',
    headers: { 'Content-Type': 'image/png', 'Content-Location': 'fedora://a/b.png' },
    body: new Uint8Array(pngBytes()),
  });
  expect(uploaded.status).toBe(201);
  await asAdmin('/_atoll/reactions?settled=true');
  while (served.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(served).toEqual(['200 201', '200 201']);
  const media = (await (await asAdmin(`/node/${nid[0].value}/media?_format=json`)).json()) as {
    name: [{ value: string }];
  }[]; // a list
  // The service answers both at the same time.
  expect(new Set(media.map(({ name }) => name[0].value))).toEqual(
    new Set(['b.png', 'b-Service File.jpg', 'b-Thumbnail Image.jpg']),
  );
  const { events } = (await (await asAdmin('/_atoll/events')).json()) as { events: { delivery: string }[] }; // as documented
  expect(events.every(({ delivery }) => delivery === 'sent')).toBe(true);
});
