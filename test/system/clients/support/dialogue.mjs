/**
 * Plays a dialogue of a client: asks what the client asks, in its order, and compares the parts of each answer that the client
 * reads. A dialogue is a YAML file in the folder `dialogues` of a part:
 *
 * - `ask`: method and path. `send` is a JSON body, `file` a file's name and bytes, `headers` come on top. `status` is 200 unless it
 *   is named. With `bytes` the answer must be those of a file.
 * - `reads`: by path (`settings/rel_types`), what the client finds there: a value, a word of `words`, `N items` or `/a pattern/`.
 *   `*` in a path stands for any item. The empty path is the whole answer.
 * - `keep`: a name for a part of the answer, for a header (`header location`) or for where a link leads (`link describes`). `{name}`
 *   is its value, also in paths; `{name:text}` is the value as text. `{ in: PATH, after: TEXT }` is a list of what follows the text,
 *   `{ all: PATH }` the list of everything there, `{ first: [PATH, …] }` what stands at the first path that has something.
 * - `each: name in list` repeats a step. `play: NAME` plays another dialogue, with `with` as further names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { bytesOf } from './files.mjs';

const isEmpty = (value) => value === undefined || value === null || value === '' || value.length === 0;

const words = {
  'a number': (value) => typeof value === 'number',
  'a text': (value) => typeof value === 'string' && value !== '',
  'a switch': (value) => typeof value === 'boolean',
  'a list': (value) => Array.isArray(value),
  'an object': (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  anything: (value) => value !== undefined,
  nothing: isEmpty,
};

/** Puts the kept values into a text. A text that is nothing but one name becomes the value itself. */
const fillText = (text, names) => {
  const find = (name) => {
    if (!names.has(name)) throw new Error(`Nothing is kept as "${name}".`);
    return names.get(name);
  };
  const whole = /^\{([a-z]\w*)\}$/i.exec(text);
  if (whole !== null) return find(whole[1]);
  return text.replace(/\{([a-z]\w*)(?::text)?\}/gi, (_, name) => String(find(name)));
};

const fill = (value, names) => {
  if (typeof value === 'string') return fillText(value, names);
  if (Array.isArray(value)) return value.map((item) => fill(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, names)]));
};

/** Everything at a path: several values when a `*` is in it, else one, which may be undefined. */
const valuesAt = (body, path) => {
  let values = [body];
  for (const part of path === '' ? [] : path.split('/')) {
    values = values.flatMap((value) => (part === '*' ? (Array.isArray(value) ? value : []) : [value?.[part]]));
  }
  return values;
};

const holds = (value, expected) => {
  if (typeof expected !== 'string') return isDeepStrictEqual(value, expected);
  if (Object.hasOwn(words, expected)) return words[expected](value);
  const items = /^(\d+) items?$/.exec(expected);
  if (items !== null) return Array.isArray(value) && value.length === Number(items[1]);
  const pattern = /^\/(.+)\/$/.exec(expected);
  return pattern === null ? value === expected : typeof value === 'string' && new RegExp(pattern[1]).test(value);
};

const shown = (value) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200));

const bodyOf = (step, names) => {
  if (step.send !== undefined) {
    return { type: { 'Content-Type': 'application/json' }, body: JSON.stringify(fill(step.send, names)) };
  }
  if (step.file === undefined) return { type: {} };
  const { name, bytes } = fill(step.file, names);
  const type = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `file; filename="${name}"` };
  return { type, body: bytesOf(bytes) };
};

/** What the client takes out of an answer. Names what it does not find. */
const read = (step, names, { body, headers }) => {
  const faults = [];
  for (const [path, wanted] of Object.entries(fill(step.reads ?? {}, names))) {
    const values = valuesAt(body, fillText(path, names));
    if (!values.some((value) => holds(value, wanted))) {
      faults.push(`${path || 'the answer'} is ${values.map(shown).join(', ')}, not ${shown(wanted)}`);
    }
  }
  for (const [name, place] of Object.entries(step.keep ?? {})) names.set(name, kept(place, body, headers));
  return faults;
};

const kept = (place, body, headers) => {
  if (typeof place === 'object') {
    if (place.all !== undefined) return valuesAt(body, place.all);
    if (place.first !== undefined)
      return place.first.flatMap((path) => valuesAt(body, path)).find((value) => value !== undefined);
    const [list = []] = valuesAt(body, place.in);
    return list.filter((item) => item.startsWith(place.after)).map((item) => item.slice(place.after.length));
  }
  const [kind, name] = place.split(' ');
  if (kind === 'header') return headers.get(name);
  if (kind === 'link') return linkIn(headers.get('link') ?? '', name);
  return valuesAt(body, place)[0];
};

/** Where the first link with the relation leads. */
const linkIn = (text, relation) =>
  text
    .split(/,\s*(?=<)/)
    .find((link) => link.includes(`rel="${relation}"`))
    ?.match(/<([^>]*)>/)?.[1];

const answerOf = async (response, isBytes) => {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (isBytes || bytes.length === 0) return { bytes, headers: response.headers };
  try {
    return { body: JSON.parse(bytes), headers: response.headers };
  } catch {
    throw new Error(`The answer is no JSON: ${bytes.toString().slice(0, 200)}`);
  }
};

const askOnce = async (step, { url, names, report }) => {
  const [method, address] = fillText(step.ask, names).split(/ (.*)/);
  const { type, body } = bodyOf(step, names);
  const given = Object.entries({ ...type, ...names.get('credentials'), ...fill(step.headers ?? {}, names) });
  const headers = Object.fromEntries(given.filter(([, value]) => value !== ''));
  const response = await fetch(new URL(address, url), { method, headers, body, redirect: 'manual' });
  const answer = await answerOf(response, step.bytes !== undefined);
  const { status = 200 } = step;
  const faults =
    response.status === status
      ? read(step, names, answer)
      : [`the status is ${response.status}, not ${status}: ${shown(answer.body ?? answer.bytes?.toString())}`];
  if (step.bytes !== undefined && !answer.bytes.equals(bytesOf(step.bytes))) faults.push('the bytes are others');
  report(`${method} ${address}`, faults);
};

const playStep = async (step, play) => {
  if (step.each !== undefined) {
    const [name, list] = step.each.split(' in ');
    const { each: _, ...rest } = step;
    for (const item of play.names.get(list) ?? []) {
      play.names.set(name, item);
      await playStep(rest, play);
    }
    return;
  }
  if (step.play === undefined) return askOnce(step, play);
  const further = Object.entries(fill(step.with ?? {}, play.names));
  for (const [name, value] of further) play.names.set(name, value);
  return playDialogue(fillText(step.play, play.names), play);
};

/** Plays one dialogue of `play.folder`. `play.report` gets each request, with what was wrong in its answer. */
export const playDialogue = async (name, play) => {
  const { steps } = parse(readFileSync(join(play.folder, `${name}.yml`), 'utf8'));
  for (const step of steps) await playStep(step, play);
};
