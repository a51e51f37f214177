/** Checks what the record of a media tells of its file: type, size, picture, and where the bytes are. */
import type { Bundle } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectSame, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { itemsOf, recordOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { fileOf, mediaOf, readingCheck, readOk } from './reading-check.ts';
import { belowBase, mediaKind, readKind } from './seen-records.ts';

export const mediaValueChecks = ({ site }: TargetContract): readonly Check[] =>
  site.model
    .bundles('media')
    .filter(({ source }) => source !== undefined && source.kind !== 'oembed')
    .flatMap((bundle) =>
      mediaRules.filter(({ field }) => field(bundle) !== undefined).map((rule) => mediaCheck(bundle, rule)),
    );

type MediaRule = {
  readonly name: string;
  readonly rule: string;
  /** The field that the rule is about. Undefined: the media type has none. */
  readonly field: (bundle: Bundle) => string | undefined;
  readonly expect: (parts: {
    readonly media: JsonRecord;
    readonly file: JsonRecord;
    readonly field: string;
    readonly source: string;
    readonly context: CheckContext;
  }) => void;
};

const mapped =
  (what: string, usual: string) =>
  ({ source, fields }: Bundle): string | undefined => {
    const name = source?.fieldMap === undefined ? usual : source.fieldMap[what];
    return name !== undefined && fields.has(name) ? name : undefined;
  };

const equalTo =
  (own: string): MediaRule['expect'] =>
  ({ media, file, field }) =>
    expectSame(valueIn(media, field), valueIn(file, own), field);

const sized =
  (side: string): MediaRule['expect'] =>
  ({ media, field, source }) => {
    const own = valueIn(media, field);
    if (own === undefined) throw new CheckSkip('The picture has no known size.');
    expectThat(Number.isInteger(own) && Number(own) > 0, `${field} is ${shown(own)}.`);
    expectSame(own, valueIn(media, source, side), field);
  };

const mediaRules: readonly MediaRule[] = [
  {
    name: 'mime-type',
    rule: 'has the MIME type of its file',
    field: mapped('mimetype', 'field_mime_type'),
    expect: equalTo('filemime'),
  },
  {
    name: 'file-size',
    rule: 'has the size of its file in bytes',
    field: mapped('filesize', 'field_file_size'),
    expect: equalTo('filesize'),
  },
  {
    name: 'width',
    rule: 'has the width of its picture',
    field: (bundle) => (bundle.source?.kind === 'image' ? mapped('width', 'field_width')(bundle) : undefined),
    expect: sized('width'),
  },
  {
    name: 'height',
    rule: 'has the height of its picture',
    field: (bundle) => (bundle.source?.kind === 'image' ? mapped('height', 'field_height')(bundle) : undefined),
    expect: sized('height'),
  },
  {
    name: 'source',
    rule: 'has its file in the field of its type, with the address of the content',
    field: ({ source }) => source?.field,
    expect: ({ media, file, field, context }) => {
      const [item = {}] = itemsOf(media, field);
      expectSame([item['target_id'], item['target_uuid']], [valueIn(file, 'fid'), valueIn(file, 'uuid')], field);
      const [own, ofFile] = [item['url'], valueIn(file, 'uri', 'url')].map((url) => belowBase(context, String(url)));
      expectSame(own, ofFile, `The url of ${field}`);
    },
  },
  {
    name: 'thumbnail',
    rule: 'has a picture as its thumbnail, with its size and the address of the content',
    field: () => 'thumbnail',
    expect: ({ media, context }) => {
      const [item = {}] = itemsOf(media, 'thumbnail');
      expectSame(item['target_type'], 'file', 'The type of the thumbnail');
      expectThat(belowBase(context, String(item['url'])) !== undefined, `Its url is ${shown(item['url'])}.`);
    },
  },
];

const mediaCheck = (bundle: Bundle, { name, rule, field, expect }: MediaRule): Check =>
  readingCheck({
    ...contractRule(`value.media-${bundle.id}.${name}`, 'contract: Media'),
    rule: `A media of the type ${bundle.id} ${rule}.`,
    operations: ['getMedia', 'getFile'],
    run: async (context) => {
      mediaOf(context, bundle.id);
      const { record } = await readKind(context, mediaKind(bundle.id));
      const file = recordOf(await readOk(context, `/entity/file/${fileOf(context, bundle.id).id}?_format=json`));
      expect({ media: record, file, field: field(bundle) ?? '', source: bundle.source?.field ?? '', context });
    },
  });
