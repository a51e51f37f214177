/** Languages of the site. */
import { textOf } from '../../model/entity.ts';
import { shownLanguage } from '../../pages/words.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { tooLong } from '../rules.ts';
import { isLonger, isMissing, noChoice } from '../values.ts';
import { anyText } from './string.ts';

/** "Not specified" and "not applicable" are on every site. A new record has the first as the source of its translation. */
const fixedLanguages: readonly string[] = ['und', 'zxx'];

const isOfSite: ItemRule = ({ value }, _field, { languages }) =>
  isMissing(value) || (typeof value === 'string' && (languages.includes(value) || fixedLanguages.includes(value)))
    ? []
    : [{ message: noChoice }];

const isShort: ItemRule = ({ value }) => (isLonger(value, 12) ? [{ property: 'value', message: tooLong(12) }] : []);

export const language: FieldType = {
  ...anyText,
  name: 'language',
  isOfBase: true,
  // The empty text is a wrong value.
  isEmpty: ({ value }) => isMissing(value),
  store: (item) => item,
  item: [isShort, isOfSite],
  jsonld: literalOf('string'),
  page: ({ value }) => shownLanguage(textOf(value ?? '')),
  sample: (_field, draw) => ({ value: draw.pick(draw.site.languages) ?? 'und' }),
  schema: shapes('LanguageItem'),
  widget: 'language_select',
};
