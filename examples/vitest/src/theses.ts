/** Deposits theses and corrects them, by way of Atoll's own client. What the tests beside are for. */
import { bodyOf, plainOf, upload, type AtollClient } from 'atoll-server/client';

/** Terms of the site: the model of a digital document, and the use of a file as it came. */
const digitalDocument = 26;
const originalFile = 16;

export type Thesis = { readonly title: string; readonly pdf: Blob; readonly name: string };

/** Ids are those of the repository. Each of them throws an `AtollError` when it is refused. */
export const createTheses = (client: AtollClient) => ({
  deposit: async ({ title, pdf, name }: Thesis): Promise<number> => {
    const body = bodyOf('node', { type: 'islandora_object', title, field_model: digitalDocument });
    const id = plainOf((await client.POST('/node', { body })).data).nid;
    const to = { node: id, mediaType: 'file', use: originalFile };
    await upload(client, { to, body: pdf, location: `public://theses/${name}` });
    return id;
  },
  correct: async (id: number, title: string): Promise<void> => {
    const body = bodyOf('node', { type: 'islandora_object', title });
    await client.PATCH('/node/{node_id}', { params: { path: { node_id: id } }, body });
  },
  titleOf: async (id: number): Promise<string> => {
    const { data } = await client.GET('/node/{node_id}', { params: { path: { node_id: id } } });
    return plainOf(data).title;
  },
});
