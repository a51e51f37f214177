/** Languages of the site. */
import { shownLanguage } from '../../markup/words.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { tooLong } from '../rules.ts';
import { isLonger, isMissing, noChoice } from '../values.ts';
import { anyText } from './string.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

/** The languages of a site, and the two of every site. A new record has "not specified" as the source of its translation. */
export const languagesOf = (languages: readonly string[]): readonly string[] => [...new Set([...languages, ...ofAll])];

/** Every site has them: not specified, and not applicable. */
const ofAll: readonly string[] = ['und', 'zxx'];

const isOfSite: ItemRule = ({ value }, _field, { languages }) =>
  isMissing(value) || (typeof value === 'string' && (languages.includes(value) || ofAll.includes(value)))
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
  trials: () => ({ refused: [{ value: 'xx-none' }] }),
  schema: shapes('LanguageItem'),
  widget: 'language_select',
};
