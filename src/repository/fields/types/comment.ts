/** Whether people may comment. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { integer } from '../rules.ts';
import { isInteger, isMissing } from '../values.ts';
import { becomesNumber } from './numbers.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

/** Every comment field says whether comments are open. */
const hasStatus: ItemRule = ({ status }) =>
  isMissing(status) ? [{ property: 'status', message: 'This value should not be null.' }] : [];

const words: Readonly<Record<string, string>> = { 0: 'Hidden', 1: 'Closed', 2: 'Open' };

const choices = Object.entries(words).map(([value, label]) => ({ value, label }));

/**
 * Records also show how many comments there are, here always none.
 * open: the time stands for that of the last comment, which a real site without comments takes from the record.
 */
export const comment: FieldType = {
  name: 'comment',
  main: 'status',
  properties: ['status', 'last_comment_timestamp'],
  ignored: ['cid', 'last_comment_name', 'last_comment_uid', 'comment_count'],
  isEmpty: () => false,
  read: ({ kept }, _field, { now }) => ({ last_comment_timestamp: now, ...kept }),
  store: ({ status, last_comment_timestamp: time }) => ({
    status: isInteger(status) ? Number(status) : (status ?? null),
    last_comment_timestamp: isInteger(time) ? Number(time) : (time ?? null),
  }),
  item: [hasStatus],
  rules: { status: [integer], last_comment_timestamp: [integer] },
  reasonOfChange: becomesNumber,
  json: ({ status, last_comment_timestamp: time }) => ({
    status: status ?? null,
    cid: 0,
    last_comment_timestamp: time ?? 0,
    last_comment_name: null,
    last_comment_uid: 0,
    comment_count: 0,
  }),
  page: ({ status }) => markup`${words[textOf(status ?? '')] ?? textOf(status ?? '')}`,
  sample: () => ({ status: 2 }),
  form: () => [{ property: 'status', label: 'Comments', as: 'number', choices }],
  schema: shapes('CommentItem', 'CommentInput'),
  module: 'comment',
  widget: 'comment_default',
  settings: () => ({ default_mode: 1, per_page: 50, anonymous: 0, form_location: true, preview: 1 }),
  storageSettings: () => ({ comment_type: 'comment' }),
};
