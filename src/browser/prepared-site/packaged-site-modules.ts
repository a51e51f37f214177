/** Makes the modules of the sites of the package. The build runs it. */
import { packagedSites } from '../../server/sources/packaged-sites.ts';
import { moduleText } from './module-text.ts';
import { prepareSite } from './prepare-site.ts';

/** `root` is the folder of the package. `name` is that of a file without its ending. */
export const packagedSiteModules = (
  root: string,
): Promise<readonly { readonly name: string; readonly text: string }[]> =>
  Promise.all(
    packagedSites.map(async (site) => ({
      name: site ?? 'default-site',
      text: moduleText(await prepareSite({ root, site })),
    })),
  );
