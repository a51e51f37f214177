/** Serves the console and the manual, which are folders of files, below `/_atoll/`. */
import { acceptedCodings, type ContentCoding } from '../http/accepted-codings.ts';
import { streamOf } from '../../basics/byte-streams.ts';
import { type PlainReply, type PlainRequest, textReply, type HostedWorld } from '../../openapi/openapi-host.ts';

/** The bytes of a file in the first of the codings that it has, or as it is. */
type ConsoleFile = { readonly bytes: Uint8Array; readonly coding: ContentCoding | undefined };

/** Reads a file of the console by its name, such as `assets/index-1a2b.js`. Undefined when there is none. */
export type ReadConsoleFile = (name: string, codings: readonly ContentCoding[]) => Promise<ConsoleFile | undefined>;

const home = '/_atoll/';
const assets = `${home}assets/`;
const firstFile = 'index.html';

/** The names that the build gives to files; a hash of the content is in each. */
const assetName = /^[\w-][\w.-]*\.(css|js|svg|png|woff2)$/;

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=UTF-8',
  js: 'text/javascript; charset=UTF-8',
  html: 'text/html; charset=UTF-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** The components of the console put style elements into the page (CSP Level 3). Content of the repository comes as `blob:`. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "connect-src 'self'",
  "frame-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const help = `${home}help/`;

/** The files of the manual keep their names from build to build. */
const helpName = /^(?:[a-z0-9-]+\/)?[a-z0-9-]+\.(html|css|js|json)$/;

/** Whether a path is that of the console, of the manual or of a file of them. */
export const isConsolePath = (path: string): boolean =>
  path === '/_atoll' || path === home || path.startsWith(assets) || path === '/_atoll/help' || path.startsWith(help);

/** The address of the console in a world, as browsers that are at the server itself see it: a path. */
export const consoleAddress = (world: Pick<HostedWorld, 'baseUrl'>): string =>
  `${new URL(world.baseUrl).pathname.replace(/\/$/, '')}${home}`;

/** Where the files of the console come from. */
export type ConsoleFiles = {
  /** Without it `/_atoll/` says how to build it. */
  readonly readConsoleFile?: ReadConsoleFile | undefined;
  /** Whether somebody builds the console now, as `npm start` does. */
  readonly isConsoleBeingBuilt?: (() => boolean) | undefined;
  /** Reads the files of the manual. Where there are none, as in a page or a worker, it is not served. */
  readonly readHelpFile?: ReadConsoleFile | undefined;
};

/** Answers a path of the console or of the manual. Undefined for a file that is not there. */
export const consoleReply = async (
  request: PlainRequest,
  world: HostedWorld,
  { readConsoleFile: readFile, readHelpFile, isConsoleBeingBuilt = () => false }: ConsoleFiles,
): Promise<PlainReply | undefined> => {
  const { path, headers } = request;
  if (path === '/_atoll') return leadTo(consoleAddress(world));
  if (path === '/_atoll/help') return readHelpFile && leadTo(`${consoleAddress(world)}help/`);
  if (path.startsWith(help)) return helpReply(path.slice(help.length), readHelpFile, isConsoleBeingBuilt());
  const codings = acceptedCodings(headers['accept-encoding']);
  if (path === home) {
    const page = await readFile?.(firstFile, codings);
    if (page === undefined) return isConsoleBeingBuilt() ? beingBuilt : notBuilt;
    return fileReply('text/html; charset=UTF-8', page, { 'Content-Security-Policy': policy });
  }
  const name = path.slice(assets.length);
  const type = mediaTypes[assetName.exec(name)?.[1] ?? ''];
  const file = type === undefined ? undefined : await readFile?.(`assets/${name}`, codings);
  if (type === undefined || file === undefined) return undefined;
  return fileReply(type, file, { 'Cache-Control': 'public, max-age=31536000, immutable' });
};

const helpPolicy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'self'"],
  "frame-ancestors 'self'",
].join('; ');

const helpReply = async (
  asked: string,
  readFile: ReadConsoleFile | undefined,
  isBeingBuilt: boolean,
): Promise<PlainReply | undefined> => {
  const name = asked === '' ? firstFile : asked;
  const type = mediaTypes[helpName.exec(name)?.[1] ?? ''];
  const file = type === undefined ? undefined : await readFile?.(name, []);
  if (type !== undefined && file !== undefined) {
    return fileReply(type, file, { 'Content-Security-Policy': helpPolicy, 'Cache-Control': 'no-cache' });
  }
  return name === firstFile && readFile !== undefined ? (isBeingBuilt ? beingBuilt : notBuilt) : undefined;
};

/** 302 to a page of this server. `varies` names the headers that another answer depends on. */
export const leadTo = (location: string, varies: Readonly<Record<string, string>> = {}): PlainReply => ({
  status: 302,
  headers: { Location: location, ...varies },
  body: undefined,
});

const fileReply = (
  mediaType: string,
  { bytes, coding }: ConsoleFile,
  headers: Readonly<Record<string, string>>,
): PlainReply => ({
  status: 200,
  headers: {
    'Content-Type': mediaType,
    ...headers,
    ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
    Vary: 'Accept-Encoding',
    'Content-Length': String(bytes.byteLength),
  },
  body: { stream: streamOf([bytes]), length: bytes.byteLength },
});

const unavailable = (title: string, head: string, text: string, headers: PlainReply['headers'] = {}): PlainReply => ({
  ...textReply(
    'text/html; charset=UTF-8',
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
${head}<title>${title}</title>
<h1>${title}</h1>
<p>${text}</p>
</html>
`,
    { 'Content-Security-Policy': "default-src 'none'", ...headers },
  ),
  status: 503,
});

const notBuilt = unavailable(
  'The pages are not built',
  '',
  `This server runs from its sources. In the folder of the repository, <code>npm run build</code> makes the console and the manual. Everything
else below <code>/_atoll</code> answers without it, and <a href="docs">the interface</a> can be read.`,
);

/** The page asks again by itself. */
const beingBuilt = unavailable(
  'The pages are being built',
  '<meta http-equiv="refresh" content="2">\n',
  `It takes some seconds, and this page then shows it. Everything else answers already, and <a href="docs">the interface</a> can
be read.`,
  { 'Retry-After': '2' },
);
