/** The sites of the package that are chosen by name. Each is a folder of this name in `data/sites`. */

export const packagedSiteNames: readonly string[] = ['starter-site'];

/** Whether `--site` names a site of the package. A folder of the same name is meant with `./` before it. */
export const isPackagedSite = (site: string | undefined): site is string =>
  site !== undefined && packagedSiteNames.includes(site);
