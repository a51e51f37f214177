/** Prepares the module of a site as a test changes it, with the validators of its own document. */
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { compileValidators, type ValidatorTexts } from '../../src/browser/prepared-site/compile-validators.ts';
import { moduleText } from '../../src/browser/prepared-site/module-text.ts';
import { prepareSite, type SiteParts } from '../../src/browser/browser.ts';
import type { SiteDocument } from '../../src/server/server-application.ts';

export type SiteModuleOptions = {
  readonly root: string;
  /** The file of the prepared sources. */
  readonly prepared: string;
  readonly fixture: string;
  readonly document: SiteDocument;
};

/** The text of the module, and the name of the fixture in it. */
export const siteModule = async ({
  document,
  ...options
}: SiteModuleOptions): Promise<{ readonly text: string; readonly fixture: string }> => {
  const parts = await partsOf(options);
  const { document: own, resolved } = document;
  const [fixture = ''] = Object.keys(parts.fixtures);
  const text = moduleText({
    ...parts,
    document: { text: JSON.stringify(own), validators: validatorsOf(own, resolved) },
  });
  return { text, fixture };
};

const known = new Map<string, Promise<SiteParts>>();

const partsOf = ({ root, prepared, fixture }: Omit<SiteModuleOptions, 'document'>): Promise<SiteParts> => {
  const parts = known.get(fixture) ?? prepareSite({ root, prepared, fixtures: [fixture] });
  known.set(fixture, parts);
  return parts;
};

const compiled = new Map<string, ValidatorTexts>();

/** Most changes of a site are none of its document. */
const validatorsOf = (document: DocumentObject, resolved: DocumentObject): ValidatorTexts => {
  const key = JSON.stringify(document);
  const validators = compiled.get(key) ?? compileValidators(resolved);
  compiled.set(key, validators);
  return validators;
};
