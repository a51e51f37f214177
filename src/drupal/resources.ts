/** Makes the REST resources of a site. */
import { providerNames } from '../model/principal.ts';
import { resourceNames, type ResourceName } from '../site/site.ts';
import type { Configuration } from './configuration.ts';
import { dataOf, textsOf, type Data } from './forgiving-values.ts';
import type { Reporter } from './report.ts';
import type { SiteResource } from './site-format.ts';

type MethodName = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Accepted = { supported_formats: ('json' | 'jsonld')[]; supported_auth: (typeof providerNames)[number][] };
type ByMethod = Partial<Record<MethodName, Accepted>>;

const methodNames: readonly MethodName[] = ['GET', 'POST', 'PATCH', 'DELETE'];
const formatNames = ['json', 'jsonld'] as const;

export type Resources = { readonly files: readonly SiteResource[]; readonly hasFileUpload: boolean };

/** The resources of records, and whether files can be uploaded to a field. Others are reported. */
export const resourcesOf = (configuration: Configuration, reporter: Reporter): Resources => {
  const named = configuration.family('rest.resource');
  if (named.length === 0 && !configuration.isWhole)
    return { files: resourceNames.map(usualResource), hasFileUpload: true };
  const files = named.flatMap(({ id, name, data }) => {
    const resource = id.replace(/^entity[.:]/, '');
    if (id === 'file.upload') return [];
    if (!isResource(resource)) {
      reporter.partly(name, 'the program does not serve this resource');
      return [];
    }
    reporter.taken('REST resources');
    return [{ resource, granularity: 'method' as const, configuration: methodsOf(name, data, reporter) }];
  });
  return { files, hasFileUpload: named.some(({ id }) => id === 'file.upload') };
};

const isResource = (name: string): name is ResourceName => (resourceNames as readonly string[]).includes(name);

/** In either granularity of the configuration. */
const methodsOf = (where: string, data: Data, reporter: Reporter): ByMethod => {
  const written = dataOf(data['configuration']);
  const isByResource = data['granularity'] === 'resource' || Array.isArray(written['methods']);
  const methods = isByResource ? textsOf(written['methods']) : Object.keys(written);
  return Object.fromEntries(
    methods.flatMap((method) => {
      const known = methodNames.find((name) => name === method.toUpperCase());
      if (known === undefined) {
        reporter.partly(where, `the method ${method.slice(0, 10)} is not served`);
        return [];
      }
      const { formats, auth } = isByResource
        ? { formats: written['formats'], auth: written['authentication'] }
        : { formats: dataOf(written[method])['supported_formats'], auth: dataOf(written[method])['supported_auth'] };
      const accepted = {
        supported_formats: knownNames(where, 'format', textsOf(formats), formatNames, reporter),
        supported_auth: knownNames(where, 'provider', textsOf(auth), providerNames, reporter),
      };
      if (accepted.supported_formats.length > 0 && accepted.supported_auth.length > 0) return [[known, accepted]];
      reporter.partly(where, `the method ${known} is left without a format or a provider`);
      return [];
    }),
  );
};

const knownNames = <T extends string>(
  where: string,
  what: string,
  written: readonly string[],
  known: readonly T[],
  reporter: Reporter,
): T[] => {
  for (const name of written) {
    if (!(known as readonly string[]).includes(name))
      reporter.partly(where, `the ${what} ${name.slice(0, 40)} is not served`);
  }
  return [...new Set(written)].flatMap((name) => known.find((each) => each === name) ?? []);
};

/** A part of a configuration does not say which resources its site has: then it has them all. */
const usualResource = (resource: ResourceName): SiteResource => {
  const accepted = (...formats: ('json' | 'jsonld')[]): Accepted => ({
    supported_formats: formats,
    supported_auth: [...providerNames],
  });
  if (resource === 'user') return { resource, granularity: 'method', configuration: { GET: accepted('json') } };
  const read = accepted('json', 'jsonld');
  const write = resource === 'file' ? {} : { POST: accepted('json'), PATCH: accepted('json') };
  return { resource, granularity: 'method', configuration: { GET: read, ...write, DELETE: accepted('json') } };
};
