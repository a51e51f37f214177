/** Checks the bytes of files: they are those of the record, with their type, validators and headers, for GET and HEAD. */
import { createHash } from 'node:crypto';
import { anonymousAccount } from '../../../../exchange/exchange-target.ts';
import type { StorageMount } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import {
  CheckSkip,
  expectHeader,
  expectRefusal,
  expectSame,
  expectStatus,
  expectThat,
  expectType,
  shown,
} from '../../answer.ts';
import type { Check, CheckContext, KnownEntity } from '../../check.ts';
import { valueIn } from '../../record-members.ts';
import { conditionRules, expectSameBytes, rangeRules, type Content, type ContentRule } from './content-requests.ts';
import { orSkip, readBytes, readerOf, readOk } from '../reading/reading-check.ts';
import { contractRule, referenceRule, adviceRule, checksOf, checksThatRead, type Rule } from '../../rule.ts';

export const contentChecks = ({ site }: TargetContract): readonly Check[] => [
  ...site.storages.flatMap((mount) => {
    const looking = {
      ...{ topic: `content.${mount.scheme}`, of: mount.scheme, operations: [] },
      see: (context: CheckContext) => readContent(context, mount),
    };
    return [
      ...checksOf(looking, basicRules),
      ...checksOf({ ...looking, see: async (context) => inParts(await readContent(context, mount)) }, rangeRules),
      ...checksOf(looking, conditionRules),
    ];
  }),
  ...checksThatRead(site.storages.flatMap((mount) => [access(mount), absent(mount)])),
];

/** Who does not say that parts can be had may send the whole (RFC 9110 §14.3). That it is not said is a failure of its own. */
const inParts = (content: Content): Content => {
  if (content.whole.header('accept-ranges') === 'bytes') return content;
  throw new CheckSkip('The content does not say that it can be read in parts.');
};

/** The known file that lies in a storage. */
const fileIn = (
  { subjects }: CheckContext,
  { prefix, scheme }: StorageMount,
): KnownEntity & { readonly content: string } =>
  orSkip(
    [...subjects.files.values()].find(({ content }) => content.startsWith(`${prefix}/`)),
    `No file of the scheme ${scheme} is known.`,
  );

const readContent = async (context: CheckContext, mount: StorageMount): Promise<Content> => {
  const file = fileIn(context, mount);
  const { content: path } = file;
  const as = readerOf(context);
  const { answer, by } = await readBytes(context, path, as);
  const whole = expectStatus(answer, 200);
  const { isWhole, bytes: size } = whole.exchange.reply.body;
  if (!isWhole) throw new CheckSkip('The file is too large to compare.');
  const get: Content['get'] = (headers, method = 'GET') =>
    context.ask({ method, path, as, headers, ...(by === undefined ? {} : { by }) });
  return { path, file, whole, size, mount, get };
};

const basicRules: readonly ContentRule[] = [
  contractRule('size', 'contract: File, filesize')(
    'The content has as many bytes as the record of the file says',
    ({ file, size }) => expectSame(size, valueIn(file.record, 'filesize'), 'The number of bytes'),
  ),
  contractRule('type', 'contract: File, filemime')(
    'The content has the media type that the record of the file says',
    ({ file, whole }) => expectType(whole, String(valueIn(file.record, 'filemime'))),
  ),
  contractRule('same-bytes', 'RFC 9110 §9.2.2')(
    'The content is the same each time it is read',
    async ({ whole, get }) => expectSameBytes(expectStatus(await get([]), 200), whole),
  ),
  contractRule('hash', 'document: getWorkbenchFileHash')(
    'The hash that the server tells of a file is that of its content',
    async ({ file, whole }, context) => {
      if (!context.judge.operations.some(({ id }) => id === 'getWorkbenchFileHash'))
        throw new CheckSkip('There is no hash.');
      const uuid = String(valueIn(file.record, 'uuid'));
      for (const algorithm of ['md5', 'sha1', 'sha256']) {
        const path = `/islandora_workbench_integration/file_hash?file_uuid=${uuid}&algorithm=${algorithm}`;
        const { text } = await readOk(context, path);
        const own = createHash(algorithm).update(whole.bytes).digest('hex');
        expectThat(text.includes(own), `The ${algorithm} is ${own}, and the answer ${shown(text)}.`);
      }
    },
  ),
  adviceRule('no-format', 'contract: Endpoints, the file’s url')(
    '`_format` does not change the content',
    async ({ path, whole }, context) =>
      expectSameBytes(expectStatus((await readBytes(context, `${path}?_format=json`)).answer, 200), whole),
  ),
  contractRule('head', 'RFC 9110 §9.3.2')(
    'HEAD of the content tells its size and type without a byte',
    async ({ whole, size, get }) => {
      const head = expectStatus(await get([], 'HEAD'), 200);
      expectThat(head.exchange.reply.body.bytes === 0, 'It has a body.');
      const length = head.header('content-length');
      expectThat(length === undefined || Number(length) === size, `Its Content-Length is ${shown(length)}.`);
      for (const name of ['content-type', 'etag', 'last-modified', 'accept-ranges'])
        expectSame(head.header(name), whole.header(name), name);
    },
  ),
  referenceRule('accept-ranges', 'a real site')('The content says that it can be read in parts', ({ whole }) =>
    expectHeader(whole, 'Accept-Ranges', (value) => value === 'bytes'),
  ),
  referenceRule('last-modified', 'RFC 9110 §8.8.2')(
    'The content has the date of its last change, which is not in the future',
    ({ whole }) => {
      const isDate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
      expectHeader(whole, 'Last-Modified', (value) => isDate.test(value));
      const now = Date.parse(whole.header('date') ?? '');
      expectThat(
        Number.isNaN(now) || Date.parse(whole.header('last-modified') ?? '') <= now + 120_000,
        'It is in the future.',
      );
    },
  ),
  adviceRule('etag', 'docs/use/differences.md: `ETag` and `Content-Disposition` of content')(
    'The content has a strong entity tag',
    ({ whole }) => expectHeader(whole, 'ETag', (value) => /^"[\x21\x23-\x7e]+"$/.test(value)),
  ),
  adviceRule('disposition', 'docs/use/differences.md: `ETag` and `Content-Disposition` of content')(
    'The content says under which name to save it, and whether a browser may show it',
    ({ whole }) => expectHeader(whole, 'Content-Disposition', (value) => /^(inline|attachment)\b/.test(value)),
  ),
  adviceRule('safe-to-open', 'docs/use/differences.md: Uploaded HTML, SVG, scripts')(
    'The content cannot run scripts on the origin of the interface: nosniff, and a sandbox',
    ({ whole }) => {
      expectHeader(whole, 'X-Content-Type-Options', (value) => value === 'nosniff');
      expectHeader(whole, 'Content-Security-Policy', (value) => /\bsandbox\b|default-src 'none'/.test(value));
    },
  ),
  contractRule('caches', 'a real site')(
    'Shared caches may keep the content only where everybody may read it',
    ({ whole, mount }) => {
      if (mount.access === 'open') return;
      const isPrivate = (text: string): boolean => text !== '' && !/\bpublic\b|s-maxage/.test(text);
      expectHeader(whole, 'Cache-Control', isPrivate, 'private');
    },
  ),
  contractRule('record-address', 'contract: File, uri; a real site')(
    'The url of the record is the path of the content, with each part escaped',
    ({ file, path, mount }) => {
      const value = String(valueIn(file.record, 'uri'));
      const [scheme, rest = ''] = value.split('://');
      expectThat(scheme === mount.scheme, `The file is below ${mount.prefix}, and its address ${value}.`);
      const own = `${mount.prefix}/${rest}`;
      expectThat(decodeURIComponent(path) === own, `${value} is served at ${path}.`);
    },
  ),
];

const access = (mount: StorageMount): Rule =>
  referenceRule(`content.${mount.scheme}.visitors`, 'a real site')(
    mount.access === 'open'
      ? `Everybody who has the address reads the content of the scheme ${mount.scheme}.`
      : `Visitors read the content of the scheme ${mount.scheme} only when they may view its media.`,
    async (context) => {
      const file = fileIn(context, mount);
      const answer = await context.ask({ path: file.content });
      const isOpen = mount.access === 'open' || context.may(anonymousAccount, 'view media');
      if (isOpen) expectStatus(answer, 200);
      else expectRefusal(answer, 401, 403);
    },
  );

const absent = (mount: StorageMount): Rule =>
  referenceRule(`content.${mount.scheme}.absent`, 'a real site')(
    `Content of the scheme ${mount.scheme} that does not exist is 404.`,
    async (context) => {
      for (const name of ['nobody/knows.png', 'nobody/', '']) {
        const path = `${mount.prefix}/${name}`;
        expectRefusal(await context.ask({ path, as: readerOf(context), isJudged: false }), 404);
      }
    },
  );
