/** Finds for each line of a refusal the input that it is about. */
import { propertyAt, type Body } from './body.ts';
import type { ModelField } from './model.ts';

export type FieldErrors = {
  /** About the whole field. */
  readonly list: readonly string[];
  /** By the key of the item, then by the property of the input. */
  readonly items: Readonly<Record<number, Readonly<Record<string, readonly string[]>>>>;
};

export type FormErrors = {
  /** What is about no input of the form. */
  readonly rest: readonly string[];
  readonly fields: Readonly<Record<string, FieldErrors>>;
};

export const noErrors: FormErrors = { rest: [], fields: {} };

/** A line about a field. */
type Fault = { readonly path: string; readonly text: string };

const heading = /^Unprocessable Entity: .*validation failed\.$/;
/** `title.0.value: This value …`. */
const faultLine = /^([a-z_][a-z0-9_]*(?:\.[a-z0-9_]+)*): (.*)$/i;
/** The sentences that name a field and have no path. */
const sentences: readonly RegExp[] = [
  /^Access denied on (?:creating|updating) field '([^']+)'/,
  /^Field values for "([^"]+)" must/,
  /^A value of "([^"]+)" must/,
  /^The field "([^"]+)" property/,
];

/** Splits a message of several lines. A line without a path goes on with the line before, because values can have lines. */
const faultsIn = (message: string, isField: (name: string) => boolean): readonly Fault[] => {
  const faults: Fault[] = [];
  for (const line of message.replace(/\n+$/, '').split('\n')) {
    if (heading.test(line)) continue;
    // About the record as a whole.
    if (line.startsWith(': ')) {
      faults.push({ path: '', text: line.slice(2) });
      continue;
    }
    const [, path = '', text = ''] = faultLine.exec(line) ?? [];
    const [, named] = sentences.map((sentence) => sentence.exec(line)).find((found) => found !== null) ?? [];
    const last = faults.at(-1);
    if (isField(path.split('.')[0] ?? '')) faults.push({ path, text });
    else if (named !== undefined && isField(named)) faults.push({ path: named, text: line });
    else if (last !== undefined && last.path !== '')
      faults[faults.length - 1] = { ...last, text: `${last.text}\n${line}` };
    else faults.push({ path: '', text: line });
  }
  return faults;
};

/** The errors of a refusal. `fields` are those of the form; `keys` say which item was sent at which position. */
export const errorsOf = (message: string, fields: readonly ModelField[], keys: Body['keys']): FormErrors => {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const rest: string[] = [];
  let errors: FormErrors = noErrors;
  for (const { path, text } of faultsIn(message, (name) => byName.has(name))) {
    const [name = '', delta, property] = path.split('.');
    const field = byName.get(name);
    if (field === undefined) rest.push(text);
    else errors = withError(errors, field, keys[name]?.[Number(delta)], { property, text });
  }
  return { ...errors, rest };
};

type ErrorAt = { readonly property?: string | undefined; readonly text: string };

/** Adds an error: to the item with this key, or to the field when there is none. */
export const withError = (
  errors: FormErrors,
  field: ModelField,
  key: number | undefined,
  { property, text }: ErrorAt,
): FormErrors => {
  const { list, items } = errors.fields[field.name] ?? { list: [], items: {} };
  if (key === undefined) return withField(errors, field, { list: [...list, text], items });
  const shown = propertyAt(field, property);
  const ofItem = items[key] ?? {};
  const changed = { ...ofItem, [shown]: [...(ofItem[shown] ?? []), text] };
  return withField(errors, field, { list, items: { ...items, [key]: changed } });
};

const withField = (errors: FormErrors, { name }: ModelField, changed: FieldErrors): FormErrors => ({
  ...errors,
  fields: { ...errors.fields, [name]: changed },
});

/** How many fields have errors. */
export const faultyFields = (errors: FormErrors): readonly string[] => Object.keys(errors.fields);
