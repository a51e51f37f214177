/** Gives the parameters that name bundles and storages the values of a site, and examples that the site takes. */
import { areEqual } from '../../../basics/equal-values.ts';
import type { Bundle } from '../../model/bundle.ts';
import type { Site } from '../../site/site.ts';
import { partOf, type Part } from '../document-tree.ts';
import { bundleName } from './bundle-name.ts';
import { modelParameters } from './model-parameters.ts';

/** The shared parameters of the document, by name. One that needs no change stays the same object. */
export const siteParameters = (parameters: Part, site: Site): Part => {
  const ids = site.model.bundles('media').map(({ id }) => id);
  const upload = uploadBundle(site);
  const change = (name: string, changes: Part): Part => {
    const before = partOf(parameters[name]);
    const after = { ...before, ...changes };
    return { [name]: areEqual(before, after) ? before : after };
  };
  return {
    ...parameters,
    ...modelParameters(parameters, site),
    ...change('MediaType', {
      schema: bundleName(ids),
      example: upload?.id ?? ids[0] ?? 'file',
    }),
    ...change('ContentLocation', { example: `${uploadScheme(site)}://2019-05/field-notes.txt` }),
    ...(upload?.source === undefined
      ? {}
      : {
          ...change('UploadBundle', { example: upload.id }),
          ...change('UploadField', { example: upload.source.field }),
        }),
  };
};

/** The media type of the examples: one that takes texts, `file` if the site has it. */
const uploadBundle = (site: Site): Bundle | undefined => {
  const takesTexts = ({ source, fields }: Bundle): boolean =>
    source !== undefined && fields.get(source.field)?.extensions?.includes('txt') === true;
  const [first, ...others] = site.model.bundles('media').filter(takesTexts);
  return others.find(({ id }) => id === 'file') ?? first;
};

const uploadScheme = ({ storages, defaultScheme }: Site): string =>
  storages.find(({ scheme }) => scheme === 'public')?.scheme ?? defaultScheme;
