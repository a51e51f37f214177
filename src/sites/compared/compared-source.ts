/** Reads the two sides of a comparison: a document in a file, that of a running server, or a site with its document. */
import { keptText, TargetError, headerValue } from '../../exchange/exchange.ts';
import { stat } from 'node:fs/promises';
import { partOf } from '../../openapi/openapi-terms.ts';
import { isPackagedSite } from '../../server/server.ts';
import { parseYamlText } from '../../basics/yaml/yaml-library.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { Site } from '../../repository/repository.ts';
import type { SourceLocations } from '../../server/server-application.ts';
import type { Sender, SenderOptions } from '../../exchange/exchange-target.ts';

/** `document` is not looked into yet. `site` where a site was named. */
type ComparedSource = { readonly document: unknown; readonly site?: Site };

/** How a server is asked for its document. */
type AskingLimits = Pick<SenderOptions, 'tls' | 'silenceMs'>;

/** Where the sites of the package are. */
type PackagePlace = Pick<SourceLocations, 'root' | 'prepared'>;

/** `url`, `site` or `file`: what a word of the command line names. Throws `ConfigurationError` when nothing has the name. */
export const sourceKind = async (name: string): Promise<'url' | 'site' | 'file'> => {
  if (/^https?:\/\//i.test(name)) return 'url';
  // The annotation keeps a name that no packaged site has a text.
  const isPackaged: boolean = isPackagedSite(name);
  if (name === 'default' || isPackaged) return 'site';
  const found = await stat(name).catch((cause: unknown) => {
    throw new ConfigurationError(`${name}: there is no such file, directory or site. An address begins with http://.`, {
      cause,
    });
  });
  return found.isDirectory() ? 'site' : 'file';
};

/**
 * Reads both sides of a comparison, each by its name. A site is given the address of the document that it is compared with. Throws
 * `ConfigurationError`, and `TargetError` for a server that does not answer.
 */
export const readCompared = async (
  names: readonly [string, string],
  { limits, place }: { readonly limits: AskingLimits; readonly place: PackagePlace },
): Promise<readonly [ComparedSource, ComparedSource]> => {
  const read = async (name: string): Promise<ComparedSource | undefined> => {
    const kind = await sourceKind(name);
    if (kind === 'site') return undefined;
    return kind === 'url' ? readUrlSource(name, limits) : readFileSource(name);
  };
  const [before, after] = names;
  const [old, now] = [await read(before), await read(after)];
  const baseUrl = baseUrlOf(old ?? now);
  return [old ?? (await readSiteSource(before, baseUrl, place)), now ?? (await readSiteSource(after, baseUrl, place))];
};

const baseUrlOf = (source: ComparedSource | undefined): string => {
  const servers = partOf(source?.document)['servers'];
  const url = Array.isArray(servers) ? partOf(servers[0])['url'] : undefined;
  return typeof url === 'string' ? url : 'http://localhost:8000';
};

type SiteSource = { readonly site: Site; readonly document: unknown };

/** The site with its document, as a server at `baseUrl` would serve it. Throws `ConfigurationError`. */
const readSiteSource = async (name: string, baseUrl: string, { root, prepared }: PackagePlace): Promise<SiteSource> => {
  const { readServedSite } = await import('../../application/application-disk.ts');
  const served = await readServedSite({ root, prepared, site: name === 'default' ? undefined : name }, { baseUrl });
  return { document: await served.bundledDocument(), site: served.site };
};

/** A site as it is served from `locations`, and as it would be after a change. Throws `ConfigurationError`. */
export const readChangedSite = async (
  locations: SourceLocations,
  change: (site: Site) => Site,
): Promise<readonly [SiteSource, SiteSource]> => {
  const { readServedSite } = await import('../../application/application-disk.ts');
  const { site } = await readServedSite(locations);
  return withDocuments(locations, [site, change(site)]);
};

/** Two sites with their documents, as a server with these sources would serve them. Throws `ConfigurationError`. */
export const withDocuments = async (
  locations: SourceLocations,
  [before, after]: readonly [Site, Site],
): Promise<readonly [SiteSource, SiteSource]> => {
  const { documentForSite } = await import('../../application/application-disk.ts');
  const sideOf = async (site: Site): Promise<SiteSource> => {
    const { bundledDocument } = await documentForSite(site, locations);
    return { site, document: await bundledDocument() };
  };
  return [await sideOf(before), await sideOf(after)];
};

/** The document of a file, with those that it refers to. Throws `ConfigurationError`. */
const readFileSource = async (name: string): Promise<ComparedSource> => {
  const [{ loadParser }, { readDocument }] = await Promise.all([
    import('../../openapi/openapi-parts.ts'),
    import('../../server/server-application.ts'),
  ]);
  const document: unknown = await readDocument(name);
  if (!refersElsewhere(document)) return { document };
  const { default: parser } = await loadParser();
  const bundled: unknown = await parser.bundle(name, { resolve: { http: false } }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`${name}: a file that it refers to cannot be read: ${reason}`, { cause });
  });
  return { document: bundled };
};

const refersElsewhere = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? !member.startsWith('#') : refersElsewhere(member),
  );
};

/** A document is read up to this size. */
const mostBytes = 32 * 1024 * 1024;

/**
 * The document at an address, or the one that the server there has at `/openapi.json`. Throws `TargetError` when it
 * cannot be reached, and `ConfigurationError` when it has no document.
 */
const readUrlSource = async (address: string, limits: AskingLimits): Promise<ComparedSource> => {
  if (!URL.canParse(address)) throw new ConfigurationError(`"${address}" is not an address.`);
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('Credentials have no place in an address. Read the document into a file first.');
  }
  const { createSender } = await import('../../exchange/exchange-target.ts');
  const sender = createSender({ ...limits, baseUrl: url.origin, keptBytes: mostBytes, maxBytes: mostBytes });
  try {
    const own = `${url.pathname}${url.search}`;
    const isDocument = /\.(json|ya?ml)$/i.test(url.pathname);
    const paths = isDocument ? [own] : [`${url.pathname.replace(/\/+$/, '')}/openapi.json`, own];
    return { document: await firstDocument(sender, paths) };
  } catch (error) {
    throw error instanceof TargetError ? new TargetError(withoutOption(error.message), { cause: error }) : error;
  } finally {
    sender.close();
  }
};

/** The messages of targets speak of an option that this command does not have. */
const withoutOption = (message: string): string =>
  message
    .replace(' with --target', '')
    .replace('Correct --target.', 'Correct the address.')
    .replace('in --target', 'in the address');

const firstDocument = async (sender: Sender, paths: readonly string[]): Promise<unknown> => {
  for (const path of paths) {
    const { reply } = await sender.send({ method: 'GET', path });
    const address = sender.baseUrl + path;
    if (reply.status >= 500) throw new TargetError(`${address} answers ${reply.status}. Ask again when it works.`);
    if (!reply.body.isWhole) throw new ConfigurationError(`${address} is larger than 32 MiB.`);
    const location = headerValue(reply.headers, 'location');
    const document = reply.status === 200 ? await parsed(keptText(reply.body)) : undefined;
    if (document !== undefined) return document;
    if (reply.status >= 300 && reply.status < 400 && path === paths.at(-1) && location !== undefined)
      throw new ConfigurationError(`${address} leads to ${location}. Name that address.`);
  }
  throw new ConfigurationError(`${sender.baseUrl}${paths[0] ?? ''} has no OpenAPI document. Name the address of one.`);
};

/** Undefined for a value that is not an object, such as a page for people. */
const parsed = async (text: string): Promise<unknown> => {
  try {
    const value: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : await parseYamlText(text);
    return typeof value === 'object' && value !== null && 'openapi' in value ? value : undefined;
  } catch {
    return undefined;
  }
};
