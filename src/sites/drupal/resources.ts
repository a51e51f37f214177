/** Makes the REST resources of a site. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { contractResources } from '../generated/contract-resources.ts';
import { providerNames, resourceNames, type ResourceName } from '../../repository/repository.ts';
import type { Configuration } from './configuration.ts';
import { dataOf, textsOf, type Data } from '../../basics/exported/lenient-values.ts';
import type { Reporter } from './report.ts';
import type { SiteResource } from './site-format.ts';

type ByMethod = Extract<SiteResource, { readonly granularity: 'method' }>['configuration'];

export type Resources = { readonly files: readonly SiteResource[]; readonly hasFileUpload: boolean };

/** The resources of records by the words of `--enable`. */
const recordResources: Readonly<Record<string, ResourceName>> = {
  node: 'node',
  media: 'media',
  term: 'taxonomy_term',
  file: 'file',
  user: 'user',
};

/** Throws `ConfigurationError` for a word that is none of them. */
const enabledResources = (words: readonly string[]): ResourceName[] =>
  words.map((word) => {
    const name = Object.hasOwn(recordResources, word) ? recordResources[word] : undefined;
    if (name !== undefined) return name;
    const known = Object.keys(recordResources).join(', ');
    throw new ConfigurationError(`--enable ${word}: there are no such records. Name some of ${known}, with commas.`);
  });

/** The resources of records, and whether files can be uploaded to a field. Others are reported. */
export const resourcesOf = (
  configuration: Configuration,
  reporter: Reporter,
  enable: readonly string[] = [],
): Resources => {
  const named = configuration.family('rest.resource');
  if (named.length === 0 && !configuration.isWhole)
    return { files: resourceNames.map(usualResource), hasFileUpload: true };
  const files = named.flatMap(({ id, name, data }) => {
    const written = id === 'file.upload' ? 'file_upload' : id.replace(/^entity[.:]/, '');
    const resource = resourceNames.find((each) => each === written);
    if (resource === undefined) {
      // `living/harvest.ts` reads it.
      if (id !== harvestResource) reporter.partly(name, 'the program does not serve this resource');
      return [];
    }
    reporter.taken('REST resources');
    const configuration = methodsOf(name, resource, data, reporter);
    // Without a method the upload is as on the default site.
    if (resource === 'file_upload' && configuration.POST === undefined) return [];
    return [{ resource, granularity: 'method' as const, configuration }];
  });
  const others = enabledResources(enable).filter((name) => !files.some(({ resource }) => resource === name));
  const all = [...files, ...others.map(usualResource)];
  for (const name of others)
    reporter.remark(`rest.resource.entity.${name}`, 'it is enabled here alone, as --enable says');
  const types = Object.values(recordResources);
  if (!all.some(({ resource }) => types.includes(resource))) {
    const kept = ['node.type', 'media.type', 'taxonomy.vocabulary'] as const;
    const bundles = kept.reduce((sum, family) => sum + configuration.ids(family).length, 0);
    reporter.begin(
      `This site enables no record over REST: its ${bundles} bundles would be served with --enable node,media,term.`,
    );
    reporter.remark('rest.resource', 'the site enables no record over REST');
  }
  return { files: all, hasFileUpload: named.some(({ id }) => id === 'file.upload') };
};

/** The resource of OAI-PMH, which a configuration lists with those of records. */
export const harvestResource = 'oai_pmh';

const formatNames = ['json', 'jsonld'] as const;
const methodNames = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** What the contract has of a resource; of the standard upload it names none. */
const contractOf = (resource: ResourceName) => {
  if (resource === 'file_upload') return { formats: ['json'] as const, methods: ['POST'] as const };
  const { formats, methods }: { readonly formats: readonly string[]; readonly methods: readonly string[] } =
    contractResources[resource];
  return {
    formats: formatNames.filter((name) => formats.includes(name)),
    methods: methodNames.filter((name) => methods.includes(name)),
  };
};

/** What is taken of a configuration. A site may grant more of a record than the contract has, such as PATCH of a file. */
const takenOf = (resource: ResourceName): ReturnType<typeof contractOf> =>
  Object.values(recordResources).includes(resource)
    ? { formats: [...formatNames], methods: [...methodNames] }
    : contractOf(resource);

/** In either granularity of the configuration. By resource, a real site serves all methods, whichever are listed. */
const methodsOf = (where: string, resource: ResourceName, data: Data, reporter: Reporter): ByMethod => {
  const { formats: knownFormats, methods: knownMethods } = takenOf(resource);
  const written = dataOf(data['configuration']);
  const isByResource = data['granularity'] === 'resource' || Array.isArray(written['methods']);
  // What writes nothing lists no method, however it is granted.
  const methods = isByResource && Object.keys(written).length > 0 ? knownMethods : Object.keys(written);
  return Object.fromEntries(
    methods.flatMap((method) => {
      const known = knownMethods.find((name) => name === method.toUpperCase());
      if (known === undefined) {
        reporter.partly(where, `the method ${method.slice(0, 10)} is not served`);
        return [];
      }
      const { formats, auth } = isByResource
        ? { formats: written['formats'], auth: written['authentication'] }
        : { formats: dataOf(written[method])['supported_formats'], auth: dataOf(written[method])['supported_auth'] };
      const accepted = {
        supported_formats: knownNames(where, 'format', textsOf(formats), knownFormats, reporter),
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
): T[] =>
  [...new Set(written)].flatMap((name) => {
    const found = known.find((each) => each === name);
    if (found === undefined) reporter.partly(where, `the ${what} ${name.slice(0, 40)} is not served`);
    return found ?? [];
  });

/** A part of a configuration does not say which resources its site has: then it has them all. Nobody may make the record of a file. */
const usualResource = (resource: ResourceName): SiteResource => {
  const { formats, methods } = contractOf(resource);
  const configuration = methods
    .filter((method) => resource !== 'file' || method !== 'POST')
    .map((method) => {
      const accepted = {
        supported_formats: method === 'GET' ? formats : ['json' as const],
        supported_auth: providerNames,
      };
      return [method, accepted] as const;
    });
  return { resource, granularity: 'method', configuration: Object.fromEntries(configuration) };
};
