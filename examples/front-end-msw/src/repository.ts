/** Reads and renames objects of a repository. */
import { basic, bodyOf, createClient, plainOf } from 'atoll-server/client';

export type Member = { readonly id: number; readonly title: string };
export type ObjectOfRepository = { readonly title: string; readonly members: readonly Member[] };

export type Repository = {
  read(id: number): Promise<ObjectOfRepository>;
  rename(id: number, title: string): Promise<void>;
};

/** `address` has no slash at its end. Both functions throw an `AtollError` when they are refused. */
export const createRepository = (address: string, account = basic('editor', 'editor')): Repository => {
  const client = createClient({ baseUrl: address, authentication: account });
  return {
    read: async (id) => {
      const params = { path: { node_id: id } };
      const { data } = await client.GET('/node/{node_id}', { params });
      const members = await client.GET('/node/{node_id}/members', { params });
      return {
        title: plainOf(data).title,
        members: members.data.map((member) => plainOf(member)).map(({ nid, title }) => ({ id: nid, title })),
      };
    },
    rename: async (id, title) => {
      const body = bodyOf('node', { type: 'islandora_object', title });
      await client.PATCH('/node/{node_id}', { params: { path: { node_id: id } }, body });
    },
  };
};
