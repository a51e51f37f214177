/** Remembers the addresses that the target gives its records by itself, as a module of aliases does, and which record each leads to. */
import { isRecord } from '../../basics/json.ts';

export type Aliases = {
  /** Notes the aliases in a body that a client sends: both servers must show these. */
  noteSent(body: unknown): void;
  /** Notes the aliases of the records in a body of the target. An address alone proves no alias: it may be a wrong one. */
  learnRecords(body: unknown): void;
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
        for (const [name, folder] of Object.entries(folders)) {
          const id = firstOf(record[name])?.['value'];
          if (typeof id === 'number') paths.set(alias, `/${folder}/${id}`);
        }
      }
    },
    learnLinks: (links) => {
      const pathTo = (wanted: RegExp): string | undefined => {
        const found = links.find(({ rel }) => wanted.test(rel));
        return /^https?:\/\/[^/]+(\/[^?#]*)/.exec(found?.target ?? '')?.[1];
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

const firstOf = (items: unknown): Readonly<Record<string, unknown>> | undefined => {
  const first: unknown = Array.isArray(items) ? items[0] : undefined;
  return isRecord(first) ? first : undefined;
};

const aliasIn = (record: unknown): string | undefined => {
  const alias = isRecord(record) ? firstOf(record['path'])?.['alias'] : undefined;
  return typeof alias === 'string' && alias.startsWith('/') ? alias : undefined;
};
