/** Makes checks of uploads from rules, and compares what is stored with what was sent. */
import { createHash } from 'node:crypto';
import type { Bundle } from '../../../../core/model/bundle.ts';
import { expectThat, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { readBack } from '../writing/record-kinds.ts';
import type { JsonRecord } from '../writing/record-values.ts';
import type { Upload } from './uploading.ts';
import { sources, writing } from '../writing/writing-check.ts';

const operations = ['putNodeMedia', 'getMedia', 'getFile'];

export type UploadRule = Pick<Check, 'name' | 'rule' | 'severity'> & {
  readonly source?: string;
  readonly run: (context: CheckContext, bundle: Bundle) => Promise<void>;
};

/** The record of the file of an upload. */
export const fileOf = (context: CheckContext, { fileId }: Upload): Promise<JsonRecord> =>
  readBack(context, { path: `/entity/file/${fileId}` });

/** Throws unless the content is these bytes. */
export const expectBytes = (answer: Answer, wanted: Uint8Array): void => {
  const { body } = answer.exchange.reply;
  expectThat(body.bytes === wanted.byteLength, `The content has ${body.bytes} bytes, not ${wanted.byteLength}.`);
  const digest = createHash('sha256').update(wanted).digest('hex');
  expectThat(body.sha256 === digest, 'The content is not the bytes that were sent.');
};

/** The check of a rule for a media type. */
export const uploadCheck = (
  topic: string,
  bundle: Bundle,
  { name, rule, severity, source = sources.upload, run }: UploadRule,
): Check =>
  writing({
    ...{ name: `${topic}.${bundle.id}.${name}`, rule: `${bundle.label}: ${rule}`, severity, source, operations },
    run: (context) => run(context, bundle),
  });
