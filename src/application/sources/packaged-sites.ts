/** Knows the sites of the package: the default one, and others that are chosen by name. */
import { join } from 'node:path';
import { isPackagedSite, packagedSiteNames } from '../../server/server.ts';

/** The default site, below the folder of the package. */
export const defaultSiteFolder = 'data/site';

/** The folder of a site: one of the package by its name, any other by its path, and without either the default one. */
export const siteDirectory = (root: string, site: string | undefined): string => {
  if (site === undefined) return join(root, defaultSiteFolder);
  return isPackagedSite(site) ? join(root, 'data/sites', site) : site;
};

/** What a new repository is filled with, and what it is filled with where that does not fit the site. */
type FirstContent = { readonly fixture: string; readonly otherFixture?: string };

/** The fixture that is named, or else `starter`, which is made for the default site, or where it cannot fit, `sample`. */
export const firstContent = (
  named: string | undefined,
  { site, isImported = false }: { readonly site: string | undefined; readonly isImported?: boolean },
): FirstContent => {
  if (named !== undefined) return { fixture: named };
  if (isImported) return { fixture: 'sample' };
  if (site === undefined) return { fixture: 'starter' };
  return isPackagedSite(site) ? { fixture: 'sample' } : { fixture: 'starter', otherFixture: 'sample' };
};

/** The file that the build prepared for a site. `file` is that of the default site. */
export const preparedFor = (file: string, site: string | undefined): string =>
  isPackagedSite(site) ? file.replace(/\.json$/, `-${site}.json`) : file;

/** Each site of the package: undefined for the default one. */
export const packagedSites: readonly (string | undefined)[] = [undefined, ...packagedSiteNames];
