/** Makes arguments and options of the command line of what an operation of the control interface takes, and reads them. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import {
  type Input,
  type OperationId,
  placedInput,
  surfaceOf,
  type SurfaceInput,
} from '../../client/client-control.ts';
import { numberParser, textParser } from '../options/option-parsers.ts';

/** Adds an option for each input of an operation, but for those that are named. */
export const withInputs = (command: Command, id: OperationId, except: readonly string[] = []): Command => {
  const { inputs, next } = surfaceOf(id);
  for (const input of inputs) if (![...except, next].includes(input.as)) command.addOption(optionOf(input));
  return command;
};

/** Adds an argument as it is written in a usage: `<name>`, `[name]`, `<name...>` or `[shown=name]`. */
export const withArgument = (command: Command, id: OperationId, text: string): Command => {
  const { inputs } = surfaceOf(id);
  const input = inputs.find(({ as }) => as === argumentName(text));
  if (input === undefined) throw new Error(`The operation ${id} takes no ${text}.`);
  const argument = new Argument(text.replace(/=\w+/, ''), helpOf(input));
  const read = readerOf(input);
  return command.addArgument(read === undefined || argument.variadic ? argument : argument.argParser(read));
};

/** The name of the input that an argument in brackets gives. */
export const argumentName = (text: string): string => text.replace(/.*=/, '').replaceAll(/[^\w]/g, '');

/** The input of an operation, from the options and from arguments by their names. Throws `ConfigurationError` where one of several must be given and none is. */
export const inputFrom = <Id extends OperationId>(
  id: Id,
  options: object,
  values: ReadonlyMap<string, unknown> = new Map(),
): Input<Id> => {
  const surface = surfaceOf(id);
  const given = new Map(Object.entries(options));
  const input = placedInput(surface, (each) => values.get(each.as) ?? given.get(optionOf(each).attributeName()));
  if (surface.needsOne !== undefined && Object.keys(input.body ?? {}).length === 0)
    throw new ConfigurationError(surface.needsOne);
  return input as unknown as Input<Id>; // its schema says the same
};

const optionOf = (input: SurfaceInput): Option => {
  const name = input.name.replaceAll('_', '-');
  const option = new Option(input.option ?? `--${name} <${name}>`, helpOf(input));
  const { enum: choices } = input.schema;
  const read = readerOf(input);
  if (choices !== undefined) option.choices(choices);
  else if (read !== undefined) option.argParser(read);
  return option.makeOptionMandatory(input.isRequired);
};

/** A sentence of the document as the help has them: it begins small, and ends without a point. */
const helpOf = ({ description, help = description, schema: { type } }: SurfaceInput): string => {
  const text = help
    .replaceAll('`', '')
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
    .replace(/\.$/, '');
  return type === 'array' || type === 'object' ? `${text}; may be repeated` : text;
};

type Reader = (text: string, before: unknown) => unknown;

/** Undefined for any text. Where the document says no form, the server says what is wrong with a value. */
const readerOf = ({ schema, form }: SurfaceInput): Reader | undefined => {
  const { type, pattern, format, additionalProperties } = schema;
  if (type === 'array') return (text, before = []) => [...(before as readonly unknown[]), text]; // what it has returned
  if (additionalProperties !== undefined)
    return (text, before) => ({ ...(before as object | undefined), ...namedValue(text) }); // what it has returned
  if (type === 'number' || type === 'integer')
    return numberParser(
      form === undefined ? Number.isFinite : (value) => isWithin(value, schema),
      form ?? 'A number is wanted.',
    );
  if (format === 'date-time') return timeOf;
  return pattern === undefined || form === undefined ? undefined : textParser(new RegExp(pattern), form);
};

const namedValue = (text: string): Readonly<Record<string, string>> => {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('It is name=value.');
  return { [text.slice(0, equals)]: text.slice(equals + 1) };
};

const isWithin = (
  value: number,
  { type, minimum = -Infinity, maximum = Number.MAX_VALUE, exclusiveMinimum = -Infinity }: SurfaceInput['schema'],
): boolean =>
  value >= minimum &&
  value <= maximum &&
  value > exclusiveMinimum &&
  (type === 'number' || Number.isSafeInteger(value));

/** A time without a zone would be another one on each machine. */
const timeOf = (text: string): string => {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError(`"${text}" is not a time. Write it as 2026-01-02T03:04:05Z.`);
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes(':')) return new Date(time).toISOString();
  const asUtc = new Date(/^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : time);
  throw new InvalidArgumentError(
    `"${text}" names no time zone. Write ${asUtc.toISOString().replace('.000Z', 'Z')} for UTC, or end with one such as +02:00.`,
  );
};
