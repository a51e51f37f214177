/** Makes the modules of the sites of the package. The build runs it. */
import { packagedSites } from '../../application/application-disk.ts';
import { moduleText, sharedBytesText } from './module-text.ts';
import { prepareSite, type SiteParts } from './prepare-site.ts';

/** `name` is that of a file without its ending. */
type NamedModule = { readonly name: string; readonly text: string };

/** `root` is the folder of the package. The pictures that several sites have are in a module of their own. */
export const packagedSiteModules = async (root: string, extension: string): Promise<readonly NamedModule[]> => {
  const sites = await Promise.all(
    packagedSites.map(async (site) => ({ name: site ?? 'default-site', parts: await prepareSite({ root, site }) })),
  );
  const shared = { address: `./shared-bytes.${extension}`, texts: repeated(sites.map(({ parts }) => bytesOf(parts))) };
  return [
    { name: 'shared-bytes', text: sharedBytesText(shared) },
    ...sites.map(({ name, parts }) => ({ name, text: moduleText(parts, shared) })),
  ];
};

/** In base64. */
const bytesOf = ({ fixtures }: SiteParts): ReadonlySet<string> => {
  const blobs = Object.values(fixtures).flatMap((fixture) => Object.values(fixture.blobs));
  return new Set(blobs.flatMap((bytes) => ('base64' in bytes ? [bytes.base64] : [])));
};

const repeated = (sets: readonly ReadonlySet<string>[]): readonly string[] =>
  [...new Set(sets.flatMap((set) => [...set]))].filter((text) => sets.filter((set) => set.has(text)).length > 1);
