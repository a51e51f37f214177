/** Reads documents from files in memory, as a disk would have them. */
import { parseLocatedYaml, YamlSyntaxError } from '../../../src/basics/yaml/located-yaml.ts';
import { ConfigurationError, flawError } from '../../../src/basics/configuration-error.ts';
import { type DocumentSource, type OpenedDocument, readDocument } from '../../../src/openapi/openapi.ts';
import { type Ask, askOf } from './ask.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const folder = 'file:///api/';

/** The first file is the root document. */
export const sourceOf = (files: Files): DocumentSource => {
  const nameOf = (address: string): string => decodeURIComponent(address.replace(folder, ''));
  const all = new Map(Object.entries(files));
  return {
    address: new URL(encodeURI([...all.keys()][0] ?? ''), folder).href,
    nameOf,
    mayRead: (address) => address.startsWith(folder),
    read: (address) => {
      const file = all.get(nameOf(address));
      return file === undefined
        ? Promise.reject(new Error('there is no such file'))
        : Promise.resolve(Buffer.from(file));
    },
    parse: async (name, text) => {
      try {
        return await parseLocatedYaml(text);
      } catch (error) {
        if (!(error instanceof YamlSyntaxError)) throw error;
        throw flawError({ file: name, line: error.line, rule: 'yaml', message: error.message, remedy: '' });
      }
    },
  };
};

export const open = (files: Files): Promise<OpenedDocument> => readDocument(sourceOf(files));

/** The lines of the refusal. None for a document that is served. */
export const refusalOf = async (files: Files): Promise<string[]> => {
  try {
    await open(files);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n');
  }
};

/** `file:line rule` of each warning. */
export const warningsOf = async (files: Files): Promise<string[]> =>
  (await open(files)).warnings.map(({ file, line, rule }) => `${file}:${line ?? '?'} ${rule}`);

/** Asks a server of these files. */
export const askFiles = async (files: Files, options: Parameters<typeof askOf>[1] = {}): Promise<Ask> => {
  const { document, externals } = await open(files);
  return askOf(document, { external: (address) => externals.get(address), ...options });
};

/** Posts values as JSON to `/x`. */
export const poster =
  (ask: Ask) =>
  (value: unknown): ReturnType<Ask> =>
    ask('/x', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
/** The status of the answer. */
export const postedStatus = (ask: Ask) => {
  const post = poster(ask);
  return async (value: unknown): Promise<number> => (await post(value)).status;
};

export const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';
/** `GET /x`, which answers JSON of this schema. */
export const answering = (schema: string, version = '3.1.0'): string => `openapi: ${version}
info: { title: T, version: "1" }
paths:
  /x:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: ${schema}
`;
/** `POST /x`, which takes JSON of this schema. */
export const taking = (schema: string, version = '3.1.0', more = ''): string => `openapi: ${version}
info: { title: T, version: "1" }
paths:
  /x:
    post:
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { "204": { description: ok } }
${more}`;

export const pet = 'type: object\nrequired: [name]\nproperties:\n  name: { type: string, example: Ada }\n';
export const petJson = { name: 'Ada' };
