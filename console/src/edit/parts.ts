/** Says which inputs an item of a field has, and how the text of an input becomes JSON. The model has the inputs of each field. */
import { leadsToRecords, type Choice, type FormPart, type ModelField } from './model.ts';

/** One input of an item. Its property is empty when it is the whole item, as JSON. */
export type Part = Omit<FormPart, 'input' | 'as' | 'choicesIn'> & {
  readonly input: NonNullable<FormPart['input']> | 'line' | 'choice';
  readonly as: NonNullable<FormPart['as']> | 'text' | 'json';
  /** The text of a new item. */
  readonly initial?: string | undefined;
};

const wholeItem: Part = {
  ...{ property: '', label: 'Item', input: 'paragraph', as: 'json' },
  hint: 'JSON, such as {"value": "a text"}.',
};

/** The choices of an input, its own or those of its field. */
const choicesOf = (field: ModelField, { choices, choicesIn }: FormPart): readonly Choice[] => {
  const listed = choicesIn === undefined ? choices : field[choicesIn];
  return (listed ?? []).map((choice) => (typeof choice === 'string' ? { value: choice, label: choice } : choice));
};

/** A text that is not a number is sent as it is, so that the server can refuse it. A new text has the first format. */
const partOf = (field: ModelField, part: FormPart): Part => {
  const { input = 'line', as = 'text' }: Partial<Pick<Part, 'input' | 'as'>> = part;
  const choices = [...choicesOf(field, part)];
  if (choices.length > 0) {
    const initial = part.choicesIn === 'formats' ? choices[0]?.value : undefined;
    return { ...part, as, input: 'choice', choices, initial };
  }
  return { ...part, as, input: input === 'reference' && !leadsToRecords(field) ? 'line' : input };
};

/** The inputs of each item of a field. */
export const partsOf = (field: ModelField): readonly Part[] =>
  field.parts.length === 0 ? [wholeItem] : field.parts.map((part) => partOf(field, part));

/** Whether the items of the field are written as JSON. */
export const isWrittenAsJson = (field: ModelField): boolean => partsOf(field).some(({ property }) => property === '');

/** The input that has the value of the item, where a fault of the whole item is shown. */
export const mainPart = (field: ModelField): Part => {
  const parts = partsOf(field);
  return parts.find(({ property }) => property === field.main) ?? parts[0] ?? wholeItem;
};

/** The text that an input shows for a value of JSON. */
export const textOfValue = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** More digits would change when they become a number. */
const mostDigits = 15;

/** The value of JSON that a text of an input stands for. Throws a `SyntaxError` for a text that should be JSON and is not. */
export const valueOfText = (text: string, { as }: Part): unknown => {
  if (as === 'json') return JSON.parse(text) as unknown;
  if (as === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const trimmed = text.trim();
  const isNumber = as === 'number' && numberPattern.test(trimmed) && trimmed.replace(/\D/g, '').length <= mostDigits;
  return isNumber ? Number(trimmed) : text;
};
