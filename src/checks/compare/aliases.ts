/** Remembers the addresses that the target gives its records by itself, as a module of aliases does, and which record each leads to. */
import { isRecord } from '../../basics/json.ts';

export type Aliases = {
  /** Notes the aliases in a body that a client sends: both servers must show these. */
  noteSent(body: unknown): void;
  /** Notes the aliases of the records in a body of the target. An address alone proves no alias: it may be a wrong one. */
  learnRecords(body: unknown): void;
  /** Notes the alias that the address of a new record is. Its body has its id, and a member for aliases: elsewhere it is a wrong address. */
  learnLocation(address: string | undefined, body: unknown): void;
  /** Notes the alias of the record that an answer of the target is about, from its links, where two name it and the form is at its path. */
  learnLinks(links: readonly { readonly rel: string; readonly target: string }[]): void;
  /** The text with the path of the record, where the whole of it is an address by an alias. The host is neutral, or left out. */
  resolved(text: string): string;
};

/** Both servers make the same aliases by themselves, so none is remembered. */
export const sameAliases: Aliases = {
  noteSent: () => undefined,
  learnRecords: () => undefined,
  learnLinks: () => undefined,
  learnLocation: () => undefined,
  resolved: (text) => text,
};

/** The most that are remembered. */
const maxAliases = 100_000;

const folders = { nid: 'node', mid: 'media', tid: 'taxonomy/term' } as const;

export const createAliases = (): Aliases => {
  const sent = new Set<string>();
  const paths = new Map<string, string>();
  return {
    noteSent: (body) => {
      const alias = aliasIn(body);
      if (alias === undefined) return;
      if (sent.size < maxAliases) sent.add(alias);
      paths.delete(alias);
    },
    learnRecords: (body) => {
      for (const record of [body].flat()) {
        const alias = aliasIn(record);
        if (alias === undefined || sent.has(alias) || !isRecord(record) || paths.size >= maxAliases) continue;
        const path = pathOf(record);
        if (path !== undefined) paths.set(alias, path);
      }
    },
    learnLocation: (address, body) => {
      const alias = pathIn(address);
      const path = isRecord(body) && firstOf(body['path']) !== undefined ? pathOf(body) : undefined;
      if (alias === undefined || path === undefined || /^\/(node|media|taxonomy\/term)\//.test(alias)) return;
      if (!sent.has(alias) && paths.size < maxAliases) paths.set(alias, path);
    },
    learnLinks: (links) => {
      const pathTo = (wanted: RegExp): string | undefined => {
        return pathIn(links.find(({ rel }) => wanted.test(rel))?.target);
      };
      const [canonical, revision] = [pathTo(/^canonical$/), pathTo(/link-relations\/revision$/)];
      const path = /^(\/(?:node|media|taxonomy\/term)\/\d+)\/edit$/.exec(pathTo(/^edit-form$/) ?? '')?.[1];
      if (canonical === undefined || path === undefined || canonical !== revision) return;
      if (canonical.startsWith(path)) return;
      if (!sent.has(canonical) && paths.size < maxAliases) paths.set(canonical, path);
    },
    resolved: (text) => {
      const [, host = '', alias = '', rest = ''] = /^(\{base\})?(\/[^?#]*)(.*)$/s.exec(text) ?? [];
      const path = paths.get(alias);
      return path === undefined ? text : `${host}${path}${rest}`;
    },
  };
};

const pathIn = (address = ''): string | undefined => /^https?:\/\/[^/]+(\/[^?#]*)/.exec(address)?.[1];

/** Where a record is by its own id. */
const pathOf = (record: Readonly<Record<string, unknown>>): string | undefined => {
  for (const [name, folder] of Object.entries(folders)) {
    const id = firstOf(record[name])?.['value'];
    if (typeof id === 'number') return `/${folder}/${id}`;
  }
  return undefined;
};

const firstOf = (items: unknown): Readonly<Record<string, unknown>> | undefined => {
  const first: unknown = Array.isArray(items) ? items[0] : undefined;
  return isRecord(first) ? first : undefined;
};

const aliasIn = (record: unknown): string | undefined => {
  const alias = isRecord(record) ? firstOf(record['path'])?.['alias'] : undefined;
  return typeof alias === 'string' && alias.startsWith('/') ? alias : undefined;
};
