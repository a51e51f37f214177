/** The schemas of a manifest and of the description of a picture, as this server writes them. */

const url = { type: 'string', format: 'uri' };
const size = { type: 'integer', minimum: 1 };

const exactly = <P extends Readonly<Record<string, object>>>(
  properties: P,
  optional: readonly (keyof P & string)[] = [],
) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const service = exactly({ '@id': url, '@context': { type: 'string' }, profile: { type: 'string' } });

const annotation = exactly({
  '@id': url,
  '@type': { const: 'oa:Annotation' },
  motivation: { const: 'sc:painting' },
  resource: exactly({
    ...{ '@id': url, '@type': { const: 'dctypes:Image' }, format: { type: 'string' } },
    ...{ height: size, width: size, service },
  }),
  on: url,
});

const canvas = exactly(
  {
    ...{ '@id': url, '@type': { const: 'sc:Canvas' }, label: { type: 'string' }, height: size, width: size },
    images: { type: 'array', items: annotation, minItems: 1, maxItems: 1 },
    seeAlso: exactly({
      '@id': url,
      format: { type: 'string' },
      profile: { type: 'string' },
      label: { type: 'string' },
    }),
  },
  ['seeAlso'],
);

/** The address of the manifest itself is relative. */
export const manifestSchema = exactly(
  {
    ...{ '@type': { const: 'sc:Manifest' }, '@id': { type: 'string', pattern: '^/' }, label: { type: 'string' } },
    '@context': { const: 'http://iiif.io/api/presentation/2/context.json' },
    sequences: {
      ...{ type: 'array', minItems: 1, maxItems: 1 },
      items: exactly(
        {
          ...{ '@context': { type: 'string' }, '@id': url, '@type': { const: 'sc:Sequence' } },
          canvases: { type: 'array', minItems: 1, items: canvas },
        },
        ['canvases'],
      ),
    },
    service: {
      type: 'array',
      items: exactly({
        '@context': { type: 'string' },
        '@id': url,
        profile: { type: 'string' },
        label: { type: 'string' },
      }),
    },
  },
  ['service'],
);

export const infoSchema = exactly({
  '@context': { const: 'http://iiif.io/api/image/2/context.json' },
  ...{ '@id': url, protocol: { const: 'http://iiif.io/api/image' }, width: size, height: size },
  sizes: { type: 'array', minItems: 1, items: exactly({ width: size, height: size }) },
  profile: { type: 'array', items: { type: 'string' } },
});
