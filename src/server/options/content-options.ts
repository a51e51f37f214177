/** The start options about content: records, site, documents, and how they are answered. */
import { choice, flag, path, repeated, seconds, text, wholeNumber } from '../../basics/options/option-kinds.ts';
import { option } from '../../basics/options/option-rows.ts';
import { callbackTarget } from './address-kinds.ts';

const everywhere = ['serve', 'exec', 'startAtoll', 'createAtoll'] as const;
const onServers = ['serve', 'exec', 'startAtoll'] as const;

/** `Date` takes the 31st of February for a day of March. */
const isOfCalendar = (time: string): boolean => {
  const ms = Date.parse(time);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(time.slice(0, 19));
};

/** In the order of the help. */
export const contentOptions = {
  data: option(path('<dir>'), {
    holds: ['serve', 'startAtoll'],
    defaults: { serve: './atoll-data' },
    sentence: 'the directory of the repository; with `--store` that of the bytes, which all processes share',
    sentenceOn: { startAtoll: 'the directory of the repository; without it everything is in memory' },
  }),
  memory: option(flag, {
    holds: ['serve'],
    sentence: 'keeps everything in memory and writes no file',
    excludes: { data: 'writes no file' },
  }),
  fixture: option(text('<name|path>'), {
    holds: everywhere,
    sentence:
      'the content of a new repository: `starter`, `empty`, `sample` or `sample:N` (made for any site, N objects), or [your own](fixtures.md): a directory, or a YAML or JSON file',
    sentenceOn: { createAtoll: 'the name of a fixture of the prepared site; without it its first one' },
    otherwise: '`starter`, or `sample` where that does not fit the site',
  }),
  persist: option(text('<name>'), {
    holds: ['createAtoll'],
    sentence: 'keeps the main world in the IndexedDB of the browser, [under this name](in-the-browser.md)',
    otherwise: 'it is in memory, until the page ends',
    excludes: { seed: 'keeps the repository' },
  }),
  site: option(text('<name|dir>'), {
    holds: onServers,
    sentence: 'the site: `default`, `starter-site`, or [a folder](own-site.md)',
    otherwise: 'the built-in site',
  }),
  documents: option(repeated('<file>'), {
    holds: onServers,
    flag: 'document',
    sentence:
      '[a document of yours](own-documents.md): alone, or with `--site` below the path of its servers; `PREFIX=FILE` serves it below `PREFIX`; may be repeated',
    sentenceOn: {
      startAtoll:
        'documents of yours, as `FILE` or `PREFIX=FILE`: alone, or with `site` or `drupalConfig` next to the repository, below the path of their servers',
    },
  }),
  document: option(text('<file>'), { holds: ['startAtoll'], sentence: 'the same for one document' }),
  stateless: option(flag, {
    holds: onServers,
    sentence:
      'answers documents and overlays from examples alone, where they otherwise [remember](own-documents.md#a-mock-that-remembers) what clients write',
  }),
  callbacks: option(callbackTarget, {
    holds: onServers,
    sentence:
      'where the callbacks of your documents are sent after the answer: to loopback addresses (`loopback`), or to one origin',
    otherwise: 'nowhere; traffic shows them',
  }),
  overlays: option(repeated('<file>'), {
    holds: onServers,
    flag: 'overlay',
    sentence: 'an OpenAPI Overlay over the document, with endpoints that you [propose](mock-first.md); may be repeated',
    sentenceOn: { startAtoll: 'files with one OpenAPI Overlay each, applied to the document in this order' },
  }),
  handlers: option(path('<dir>'), {
    holds: onServers,
    sentence: 'a folder of [handlers](mock-first.md) for the operations of your documents and overlays',
  }),
  watch: option(flag, {
    holds: ['serve'],
    sentence: 'reloads document, overlays, handlers and site when they change',
    negative: 'reads them at the start only',
    otherwise: 'on if one of them is given',
  }),
  durability: option(choice('<level>', ['full', 'os']), {
    holds: ['serve'],
    default: 'full',
    sentence: 'what an answered write [survives](durability.md): a power cut, or the end of the process',
  }),
  bytes: option(text('<url>', { isSecret: true }), {
    holds: ['serve'],
    sentence:
      'keeps the bytes of all files [in a bucket](team-server.md), `s3://bucket/prefix?region=…&endpoint=…&path-style=true`; credentials as for the AWS SDK',
    variable: 'ATOLL_BYTES',
  }),
  checkReplies: option(choice('<mode>', ['off', 'log', 'fail']), {
    holds: onServers,
    defaults: { serve: 'log', exec: 'fail', startAtoll: 'fail' },
    sentence:
      'what happens to an answer that the document does not allow; with `fail` it becomes a 500 that names the violation',
  }),
  advice: option(choice('<where>', ['traffic', 'header']), {
    holds: everywhere,
    default: 'traffic',
    sentence: 'where a client learns [which values were not stored as sent](traffic-and-coverage.md)',
  }),
  caches: option(choice('<mode>', ['fresh', 'reference']), {
    holds: everywhere,
    sentence: 'answers reads always fresh, or [from caches as those of a real site](caches.md)',
    otherwise: 'as the site says',
  }),
  pages: option(flag, {
    holds: everywhere,
    default: true,
    sentence: 'whether browsers get [a page for people](pages.md) at the address of a record',
    negative: 'answers a browser at the address of a record as any other client, without [a page for people](pages.md)',
  }),
  traffic: option(wholeNumber('A number of requests', { least: 0, most: 99_999 }), {
    holds: ['serve', 'startAtoll', 'createAtoll'],
    default: 1000,
    sentence:
      'how many requests each world remembers, in 4 KiB each, together at least 4 MiB; 0 turns traffic and coverage off',
  }),
  reactionsDelay: option(
    seconds('A delay is from 0 to 86400 seconds.', (value) => value >= 0 && value <= 86_400),
    {
      holds: ['serve', 'createAtoll'],
      default: 0,
      sentence: 'how long after a write the site does its [delayed work](living-repository.md)',
    },
  ),
  events: option(text('<target>', { isSecret: true }), {
    holds: ['serve', 'startAtoll'],
    default: 'services',
    sentence:
      'where [messages](living-repository.md) that sites send after writes go: `services` (built-in ones make the derivatives), `none`, `stomp://HOST:PORT`, or the address of a webhook',
  }),
  seed: option(text('<text>'), {
    holds: everywhere,
    sentence:
      'makes the same requests give the same UUIDs, secrets and sample on every start; in `serve` only with `--memory`',
    needs: { option: 'memory', because: 'on disk a restart would draw the same uuids once more' },
    excludes: { data: 'is for a repository in memory' },
  }),
  frozenAt: option(
    text('<time>', {
      pattern:
        /^(19[7-9]|[2-9]\d\d)\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,3})?Z$/,
      rule: 'A time is written as 2030-01-01T12:00:00Z, from 1970 to 9999.',
      isValid: isOfCalendar,
    }),
    {
      holds: onServers,
      sentence:
        'starts every world with [its clock stopped](worlds.md#time) at this time, such as `2030-01-01T12:00:00Z`, so that every run has the same dates; in `serve` only with `--memory`',
      needs: { option: 'memory', because: 'on disk a restart would go back in time' },
      excludes: { data: 'is for a repository in memory' },
    },
  ),
  jwtKey: option(path('<file>'), {
    holds: onServers,
    sentence: 'the RSA private key (PEM) that signs tokens',
    sentenceOn: { startAtoll: 'the PEM of an RSA private key to sign tokens with; without it a key is made' },
    otherwise: 'a key is made',
  }),
};
