/** What follows an upload on the starter site: messages, and derivatives where the built-in services answer them. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { imageSize } from 'image-size';
import type { components } from '../../src/client/generated/control.ts';
import type { OutgoingMessage } from '../../src/repository/repository-content.ts';
import { builtInServices, createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { followEvents } from '../support/followed-events.ts';
import { pdfWith } from '../support/pdf.ts';
import { pngBytes } from '../support/png.ts';
import { serveOnPort } from '../support/server.ts';
import { starterSiteAtoll } from './sending-site.ts';

type EventPage = components['schemas']['EventPage'];
type Reactions = components['schemas']['Reactions'];
type Items = readonly Readonly<Record<string, unknown>>[];
type Media = Readonly<Record<string, Items>>;

const [originalFile, serviceFile, thumbnail, extractedText, fits] = [3, 5, 6, 1, 910];
const models = { image: 13, document: 12, audio: 8, video: 18 };

const createNode = async (atoll: TestAtoll, model: number): Promise<number> => {
  const body = {
    ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A title' }] },
    field_model: [{ target_id: model }],
  };
  const reply = await atoll.send('post', '/node?_format=json', 'admin').send(body).expect(201);
  return (reply.body as { nid: [{ value: number }] }).nid[0].value; // a node has one
};

type Upload = { readonly bundle: string; readonly type: string; readonly place: string; readonly bytes: Uint8Array };

const upload = async (atoll: TestAtoll, node: number, { bundle, type, place, bytes }: Upload): Promise<void> => {
  await atoll
    .send('put', `/node/${node}/media/${bundle}/${originalFile}`, 'admin')
    .set('Content-Type', type)
    .set('Content-Location', place)
    .send(Buffer.from(bytes))
    .expect(201);
};

const settled = async (atoll: TestAtoll): Promise<Reactions> => {
  const reply = await atoll.send('get', '/_atoll/reactions?settled=true').expect(200);
  return reply.body as Reactions; // held to the document
};

/** The media of a node by their use. */
const mediaOf = async (atoll: TestAtoll, node: number): Promise<ReadonlyMap<number, Media>> => {
  const reply = await atoll.send('get', `/node/${node}/media?_format=json`, 'admin').expect(200);
  const media = reply.body as readonly Media[]; // a list of records
  return new Map(media.map((each) => [Number(each['field_media_use']?.[0]?.['target_id']), each]));
};

const fileOf = async (atoll: TestAtoll, media: Media | undefined, field: string): Promise<Buffer> => {
  const id = Number(media?.[field]?.[0]?.['target_id']);
  const file = await atoll.send('get', `/entity/file/${id}?_format=json`, 'admin').expect(200);
  const { uri } = file.body as { uri: [{ url: string }] }; // a file has one
  const reply = await atoll.send('get', uri[0].url, 'admin').responseType('blob').expect(200);
  return reply.body as Buffer; // as `responseType` says
};

const picture: Upload = {
  ...{ bundle: 'image', type: 'image/png' },
  place: 'fedora://2024-05/A picture.png',
  bytes: pngBytes(400, 300),
};

describe('After the upload of a picture', () => {
  let atoll: TestAtoll;
  let node: number;
  let reactions: Reactions;
  let media: ReadonlyMap<number, Media>;
  beforeAll(async () => {
    atoll = await starterSiteAtoll(builtInServices);
    node = await createNode(atoll, models.image);
    await upload(atoll, node, picture);
    reactions = await settled(atoll);
    media = await mediaOf(atoll, node);
  });

  it('everything is done, and said of the node', () => {
    expect(reactions.settled).toBe(true);
    expect(reactions.reactions.filter(({ state }) => state !== 'done')).toEqual([]);
    expect(reactions.reactions.filter(({ about }) => about === `node:${node}`).map(({ name }) => name)).toEqual([
      'send messages',
      'make A%20picture-Service File.jpg',
      'make A%20picture-Thumbnail Image.jpg',
      'make A%20picture-FITS File.xml',
    ]);
  });

  it('there are service file, thumbnail and FITS: in the right bundle, with use, name, node and owner', () => {
    const shown = [...media].map(([use, each]) => [
      use,
      each['bundle']?.[0]?.['target_id'],
      each['name']?.[0]?.['value'],
      each['field_media_of']?.[0]?.['target_id'],
      each['uid']?.[0]?.['target_id'],
    ]);
    expect(shown).toEqual([
      [originalFile, 'image', 'A picture.png', node, 1],
      [serviceFile, 'image', 'A%20picture-Service File.jpg', node, 1],
      [thumbnail, 'image', 'A%20picture-Thumbnail Image.jpg', node, 1],
      [fits, 'fits_technical_metadata', 'A%20picture-FITS File.xml', node, 1],
    ]);
  });

  it.each([
    [serviceFile, 400, 300],
    [thumbnail, 220, 165],
  ])('the bytes of use %s are a JPEG of %s × %s pixels, and the media says so', async (use, width, height) => {
    expect(imageSize(await fileOf(atoll, media.get(use), 'field_media_image'))).toMatchObject({
      ...{ width, height, type: 'jpg' },
    });
    expect(media.get(use)?.['field_media_image']).toMatchObject([{ width, height }]);
  });

  it('FITS knows name and size', async () => {
    const text = String(await fileOf(atoll, media.get(fits), 'field_media_file'));
    expect(text).toContain('<filename toolname="OIS File Information">A picture.png</filename>');
    expect(text).toContain(`<size toolname="OIS File Information">${picture.bytes.length}</size>`);
  });

  it('the traffic shows the requests of the site as such', async () => {
    const reply = await atoll.send('get', '/_atoll/traffic?limit=100').expect(200);
    const { entries } = reply.body as components['schemas']['TrafficPage']; // held to the document
    const own = entries.filter(({ bySite }) => bySite === true);
    expect(own.map(({ method, status }) => `${method} ${status}`)).toEqual(
      'GET 200, PUT 201, GET 200, PUT 201, GET 200, PUT 201'.split(', '),
    );
  });

  it('the messages are those of the real site: GET /_atoll/events is 200, by queue, after an id, and the last ones', async () => {
    const pageOf = async (query: string): Promise<EventPage> =>
      (await atoll.send('get', `/_atoll/events?${query}`).expect(200)).body as EventPage; // held to the document
    const page = await pageOf('queue=islandora-connector-houdini');
    expect(page.events.map(({ body }) => body['summary'])).toEqual(['Generate Derivative', 'Generate Derivative']);
    expect(page.events.every(({ delivery }) => delivery === 'kept')).toBe(true);
    const all = await pageOf('');
    expect(await pageOf(`since=${(all.events[0]?.id ?? 0) + 3}`)).toMatchObject({ total: all.total - 4 });
    expect((await pageOf('limit=2')).events).toEqual(all.events.slice(-2));
    await atoll.send('get', '/_atoll/events?since=yesterday').expect(400);
    await atoll.send('get', '/_atoll/events/stream?since=yesterday').expect(400);
  });
});

describe('After the upload of another original', () => {
  it('a document has its text as a media', async () => {
    const atoll = await starterSiteAtoll(builtInServices);
    const node = await createNode(atoll, models.document);
    const bytes = pdfWith('Hello of a page');
    await upload(atoll, node, { bundle: 'document', type: 'application/pdf', place: 'fedora://2024-05/d.pdf', bytes });
    await settled(atoll);
    const media = await mediaOf(atoll, node);
    expect([...media.keys()]).toEqual([originalFile, thumbnail, extractedText, fits]);
    expect(media.get(extractedText)?.['field_edited_text']).toMatchObject([{ value: 'Hello of a page' }]);
  });

  it.each([
    ['audio', models.audio, 'audio/mpeg', 'a.mp3', [originalFile, serviceFile, fits]],
    ['video', models.video, 'video/mp4', 'v.mp4', [originalFile, serviceFile, thumbnail, fits]],
  ])('%s has its derivatives', async (bundle, model, type, name, uses) => {
    const atoll = await starterSiteAtoll(builtInServices);
    const node = await createNode(atoll, model);
    await upload(atoll, node, { bundle, type, place: `fedora://2024-05/${name}`, bytes: Buffer.from('nothing real') });
    expect((await settled(atoll)).reactions.filter(({ state }) => state !== 'done')).toEqual([]);
    expect([...(await mediaOf(atoll, node)).keys()]).toEqual(uses);
  });
});

describe('Where somebody else takes the messages', () => {
  it('each comes with a token of who wrote, and no derivative is made', async () => {
    const got: OutgoingMessage[] = [];
    const atoll = await starterSiteAtoll({ send: async (message) => void got.push(message), services: undefined });
    const node = await createNode(atoll, models.image);
    await upload(atoll, node, picture);
    await settled(atoll);
    expect(got).toHaveLength(7);
    const last = got.at(-1);
    expect(last?.text.startsWith('{"@context":"https:\\/\\/www.w3.org\\/ns\\/activitystreams","actor":')).toBe(true);
    const { attachment } = JSON.parse(last?.text ?? '') as { attachment: { content: Record<string, string> } }; // a message
    expect([...(await mediaOf(atoll, node)).keys()]).toEqual([originalFile]);
    // As a microservice does: it reads the source and puts its result, with the token.
    const path = (name: string): string => (attachment.content[name] ?? '').replace('http://localhost:8000', '');
    const authorization = last?.authorization ?? '';
    await atoll.send('get', path('source_uri')).set('Authorization', authorization).expect(200);
    await atoll
      .send('put', path('destination_uri'))
      .set({ Authorization: authorization, 'Content-Type': 'application/xml' })
      .set('Content-Location', attachment.content['file_upload_uri'] ?? '')
      .send('<fits/>')
      .expect(201);
  });

  it('and nobody answers, the write is answered as ever, and the messages are lost', async () => {
    const send = () => Promise.reject(new Error('No broker answers at 127.0.0.1:1.'));
    const atoll = await starterSiteAtoll({ send, services: undefined });
    await createNode(atoll, models.image);
    expect((await settled(atoll)).reactions).toMatchObject([{ state: 'done' }]);
    const reply = await atoll.send('get', '/_atoll/events').expect(200);
    const { events } = reply.body as EventPage; // held to the document
    expect(events.map(({ delivery, message }) => [delivery, message])).toEqual([
      ['lost', 'No broker answers at 127.0.0.1:1.'],
      ['lost', 'No broker answers at 127.0.0.1:1.'],
    ]);
  });
});

describe('The stream of messages', () => {
  it('begins after the id that is asked for, shows each as it is sent, and ends with the world: 200', async () => {
    const atoll = await starterSiteAtoll();
    const served = await serveOnPort(atoll);
    await createNode(atoll, models.image);
    await settled(atoll);
    const { response, next, leave } = await followEvents<EventPage['events'][number]>(
      `${served.url}/_atoll/events/stream?queue=islandora-indexing-fcrepo-content&since=0`,
    );
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await createNode(atoll, models.image);
    const [first, second] = [await next(), await next()];
    expect([first.id, first.queue, second.id]).toEqual([1, 'islandora-indexing-fcrepo-content', 3]);
    await atoll.reset();
    await expect(next()).rejects.toThrow('The stream has ended.');
    leave();
    await served.stop();
  });
});

describe('The default site', () => {
  it('sends nothing', async () => {
    const atoll = await createTestAtoll();
    await atoll.send('delete', '/node/2?_format=json', 'admin').expect(204);
    expect((await atoll.send('get', '/_atoll/events').expect(200)).body).toEqual({ total: 0, events: [] });
  });
});
