/** References to files, to images and to subtitles, and the addresses where files lie. */
import type { FieldDefinition } from '../../model/bundle.ts';
import { bytesPath } from '../../markup/page-context.ts';
import { markup } from '../../markup/page-markup.ts';
import { contentPath } from '../../site/content-url.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ItemRule, ValidationContext } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { boolean, fits, integer, maxLength, text } from '../rules.ts';
import { extensionOf, isInteger, numberIfDigits, readBoolean, textOrNull } from '../values.ts';
import { flag } from './boolean.ts';
import { entityReference, jsonWith, referencePart, shownTarget } from './entity-reference.ts';
import { anyText } from './string.ts';
import { type Entity, entityKey, type FieldItem, firstValue, textOf } from '../../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../../basics/json.ts';

const fileOf = ({ target_id: id }: FieldItem, context: ValidationContext): Entity | undefined =>
  isInteger(id) ? context.find(entityKey('file', Number(id))) : undefined;

/** Otherwise users could read and overwrite a guarded file by making a media of their own that uses it. */
const isVisible: ItemRule = (item, _field, context) => {
  const found = fileOf(item, context);
  return found === undefined || context.mayView(found)
    ? []
    : [{ message: `You do not have access to the referenced entity (file: ${found.id}).` }];
};

const hasExtension: ItemRule = (item, { extensions }, context) => {
  const found = fileOf(item, context);
  return found === undefined || extensions?.includes(extensionOf(textOf(firstValue(found, 'filename')))) !== false
    ? []
    : [{ message: `Only files with the following extensions are allowed: ${extensions.join(' ')}.` }];
};

const numberOrNull = (value: Json | undefined): number | null => (isInteger(value) ? Number(value) : null);

const settings = (_field: FieldDefinition, maxBytes?: number): JsonObject => ({
  handler: 'default:file',
  handler_settings: {},
  file_directory: '[date:custom:Y]-[date:custom:m]',
  max_filesize: maxBytes === undefined ? '' : String(maxBytes),
});

const storageSettings = (): JsonObject => ({ target_type: 'file', display_field: false, display_default: false });

export const file: FieldType = {
  ...entityReference,
  name: 'file',
  refers: 'to-file',
  sourceOf: 'file',
  properties: ['target_id', 'display', 'description'],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    display: readBoolean(item['display']) ?? null,
    description: textOrNull(item['description']),
  }),
  item: [isVisible, hasExtension],
  rules: { ...entityReference.rules, display: [boolean], description: [text] },
  json: jsonWith('display', 'description'),
  // A file with its description, an image with its alternative text, a track with its label.
  page: (item, context, field) => {
    const words = ['description', 'alt', 'label']
      .map((name) => item[name])
      .find((each) => each !== null && each !== '');
    return markup`${shownTarget(item, context, field)}${typeof words === 'string' ? ` – ${words}` : undefined}`;
  },
  form: () => [referencePart, { property: 'description', label: 'Description' }, flag('display', 'Listed')],
  schema: shapes('FileReference', 'FileReferenceInput'),
  module: 'file',
  widget: 'file_generic',
  keys: ['extensions', 'scheme'],
  settings: (field, maxBytes) => ({ ...settings(field, maxBytes), description_field: false }),
  storageSettings,
};

const noImage: JsonObject = { uuid: null, alt: '', title: '', width: null, height: null };

export const image: FieldType = {
  ...file,
  name: 'image',
  refers: 'to-image',
  properties: ['target_id', 'alt', 'title', 'width', 'height'],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    alt: textOrNull(item['alt']),
    title: textOrNull(item['title']),
    width: numberOrNull(item['width']),
    height: numberOrNull(item['height']),
  }),
  rules: {
    ...entityReference.rules,
    alt: [text, fits(512)],
    title: [text, fits(1024)],
    width: [integer],
    height: [integer],
  },
  reasonOfChange: (member) =>
    ['width', 'height'].includes(member.property)
      ? 'The server reads the size from the image.'
      : entityReference.reasonOfChange(member),
  json: jsonWith('alt', 'title', 'width', 'height'),
  sample: (field, draw) => ({ alt: draw.name(field) }),
  form: () => [referencePart, { property: 'alt', label: 'Alternative text' }, { property: 'title', label: 'Title' }],
  schema: shapes('ImageReference', 'ImageReferenceInput'),
  module: 'image',
  widget: 'image_image',
  keys: ['extensions', 'scheme', 'alt_required'],
  settings: (field, maxBytes) => ({
    ...settings(field, maxBytes),
    max_resolution: '',
    min_resolution: '',
    alt_field: true,
    title_field: false,
    title_field_required: false,
    default_image: noImage,
  }),
  storageSettings: () => ({ ...storageSettings(), default_image: noImage }),
};

const trackKinds = ['subtitles', 'captions', 'descriptions', 'chapters', 'metadata'];

/** A file of subtitles, chapters or the like. */
export const mediaTrack: FieldType = {
  ...file,
  name: 'media_track',
  refers: 'to-track',
  sourceOf: undefined,
  properties: ['target_id', 'label', 'kind', 'srclang', 'default'],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    label: textOrNull(item['label']),
    kind: textOrNull(item['kind']),
    srclang: textOrNull(item['srclang']),
    default: readBoolean(item['default']) ?? null,
  }),
  rules: {
    ...entityReference.rules,
    label: [text, fits(128)],
    kind: [text, fits(20)],
    srclang: [text, fits(20)],
    default: [boolean],
  },
  json: jsonWith('label', 'kind', 'srclang', 'default'),
  sample: (field, draw) => ({ label: draw.name(field), kind: 'subtitles', srclang: 'en', default: true }),
  form: () => [
    referencePart,
    { property: 'label', label: 'Label' },
    { property: 'kind', label: 'Kind', choices: trackKinds.map((value) => ({ value, label: value })) },
    { property: 'srclang', label: 'Language', hint: 'Such as en.' },
    flag('default', 'On by default'),
  ],
  schema: shapes('TrackReference', 'TrackReferenceInput'),
  module: 'islandora',
  widget: 'media_track',
  settings: (field, maxBytes) => ({ ...settings(field, maxBytes), languages: 'installed' }),
};

export const fileUri: FieldType = {
  ...anyText,
  name: 'file_uri',
  isOfBase: true,
  ignored: ['url'],
  item: [maxLength],
  json: ({ value }, { site, basePath }) => {
    const path = typeof value === 'string' ? contentPath(site, value) : undefined;
    return { value: value ?? null, ...(path === undefined ? {} : { url: basePath + path }) };
  },
  jsonld: literalOf('string'),
  page: ({ value }, { entity, world }) => {
    const path = bytesPath(entity, world);
    return path === undefined ? markup`${textOf(value ?? '')}` : markup`<a href="${path}">${textOf(value ?? '')}</a>`;
  },
  schema: shapes('FileUri', 'FileUriInput'),
  widget: 'uri',
};
