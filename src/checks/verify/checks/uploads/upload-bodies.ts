/** Checks of uploads of many sizes, and of bytes that a server may take for something else. */
import { expectSame } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { valueIn } from '../../record-members.ts';
import { expectContent, fileOf, makeUpload, type Upload } from './uploading.ts';
import { contractRule, checksThatWrite, sources, type Rule } from '../../rule.ts';

const operations = ['putNodeMedia', 'getMedia', 'getFile'];

/** Each byte differs from its neighbours, so that a part in the wrong place is seen. */
const counting = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) & 255);

type Body = readonly [name: string, words: string, bytes: () => Uint8Array];

const bodies: readonly Body[] = [
  ['one-byte', 'of one byte', () => Buffer.from('x')],
  ['all-bytes', 'with each of the 256 bytes', () => counting(256)],
  ['zero-bytes', 'of bytes that are 0', () => new Uint8Array(300)],
  ['json', 'that is JSON', () => Buffer.from('{"message": "I am a file"}')],
  ['markup', 'that is a page with a script', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['line-ends', 'with line ends of every kind', () => Buffer.from('a\r\nb\rc\n\n--boundary--\r\n')],
  ['64-kib', 'of 64 KiB', () => counting(64 * 1024)],
  ['2-mib', 'of 2 MiB', () => counting(2 * 1024 * 1024)],
];

/** The types of the first bodies; the others have that of their extension. */
const types: readonly (readonly [name: string, type: string])[] = [
  ['pdf', 'application/pdf'],
  ['unknown', 'application/x-verify'],
  ['binary', 'application/octet-stream'],
];

const uploadOf = (context: CheckContext, at: number): Promise<Upload> =>
  context.once(`upload of body ${at}`, (own) => {
    const [, contentType] = types[at] ?? [];
    return makeUpload(own, { bytes: bodies[at]?.[2](), contentType, isOfAnyNode: true });
  });

const bodyRules: readonly Rule[] = bodies.map(([name, words], at) =>
  contractRule(`upload-body.${name}`, sources.upload)(
    `A body ${words} is the content of the file, byte by byte.`,
    async (context) => {
      const upload = await uploadOf(context, at);
      await expectContent(context, upload.content, upload.bytes);
      expectSame(valueIn(await fileOf(context, upload), 'filesize'), upload.bytes.byteLength, '"filesize"');
    },
  ),
);

const typeRules: readonly Rule[] = types.map(([name, type], at) =>
  contractRule(`upload-type.${name}`, sources.upload)(
    `The Content-Type ${type} of an upload is that of the file, whatever its extension says.`,
    async (context) => expectSame(valueIn(await fileOf(context, await uploadOf(context, at)), 'filemime'), type),
  ),
);

export const uploadBodyChecks: readonly Check[] = checksThatWrite([...bodyRules, ...typeRules], { operations });
