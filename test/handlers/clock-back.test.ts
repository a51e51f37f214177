/** A clock that was set back: the time of the last change never falls. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

type Times = { readonly created: readonly { value: string }[]; readonly changed: readonly { value: string }[] };
const timesOf = ({ body }: { body: unknown }): { created: number; changed: number } => {
  const { created, changed } = body as Times; // a record, checked by the engine
  return { created: Date.parse(created[0]?.value ?? ''), changed: Date.parse(changed[0]?.value ?? '') };
};
const noon = Date.parse('2024-05-01T12:00:00Z');
const type = [{ target_id: 'islandora_object' }];

describe('A clock that was set back by an hour', () => {
  it('leaves `changed` of a node that is patched where it was, and raises it when the clock is ahead again', async () => {
    atoll.clock.set('2024-05-01T12:00:00Z');
    const fields = { type, title: [{ value: 'Made at noon' }], field_model: [{ target_id: 24 }] };
    const created = await atoll.send('POST', '/node?_format=json', 'admin').send(fields).expect(201);
    const id = (created.body as { nid: { value: number }[] }).nid[0]?.value ?? 0;
    const patch = (title: string) =>
      atoll
        .send('PATCH', `/node/${id}?_format=json`, 'admin')
        .send({ type, title: [{ value: title }] })
        .expect(200);
    atoll.clock.advance(-3600);
    expect(timesOf(await patch('An hour before'))).toEqual({ created: noon, changed: noon });
    atoll.clock.advance(3 * 3600);
    expect(timesOf(await patch('Two hours after')).changed).toBe(noon + 2 * 3600_000);
    atoll.clock.advance(-3600);
    expect(timesOf(await patch('One hour after')).changed).toBe(noon + 2 * 3600_000);
  });

  it('leaves `changed` of a media and its file where they were when the source is replaced', async () => {
    const replace = () =>
      atoll
        .send('PUT', '/media/1/source', 'admin')
        .set('Content-Type', 'image/png')
        .send(Buffer.from('new'))
        .expect(204);
    atoll.clock.set('2024-05-01T12:00:00Z');
    await replace();
    atoll.clock.advance(-3600);
    await replace();
    const media = await atoll.send('GET', '/media/1?_format=json', 'admin').expect(200);
    expect(timesOf(media).changed).toBe(noon);
    const file = (media.body as { field_media_image: { target_id: number }[] }).field_media_image[0]?.target_id ?? 0;
    expect(timesOf(await atoll.send('GET', `/entity/file/${file}?_format=json`, 'admin').expect(200)).changed).toBe(
      noon,
    );
  });
});
