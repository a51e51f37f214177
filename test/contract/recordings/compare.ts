/** Holds an answer against the recorded one. What may differ everywhere is said here, what may differ somewhere in differences.md. */
import { createHash } from 'node:crypto';
import type { Exchange } from './exchanges.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
};

/** Uuids and secrets of the recorded server, and those that stand for them here. One uuid of theirs is always one of ours. */
export type Translation = {
  /** A recorded text with our uuids, secrets and session in place of theirs. */
  toOurs(recorded: string): string;
  /** Whether ours may stand for theirs; noted when neither has been met before. */
  same(theirs: string, ours: string): boolean;
  /** The same for ids of files: the file of an icon is made at another moment. */
  sameFile(theirs: number, ours: number): boolean;
  /** Remembers the session and the tokens of a login. */
  meet(answer: Answer): void;
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const secret = /^[A-Za-z0-9_-]{43}$/;
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/.test(text);
/** What the recording shows of a secret. */
const mask = /^<\w+>$/;
const made = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;

/**
 * `start`: times before it, in milliseconds since 1970, are of the recorded site's installation, and stand for any of ours.
 * `mapsFiles`: the ids of files need only translate.
 */
export const createTranslation = ({ start = 0, mapsFiles = false } = {}): Translation => {
  const oursOf = new Map<string, string>();
  const theirsOf = new Map<string, string>();
  const filesOf = new Map<number, number>();
  const met = new Map<string, string>();
  return {
    toOurs: (recorded) =>
      recorded
        .replace(made, (theirs) => oursOf.get(theirs) ?? theirs)
        .replace(/<(session|logout_token)>/g, (all, name: string) => met.get(name) ?? all)
        .replaceAll(fileReference, (id) => String(filesOf.get(Number(id)) ?? id))
        .replace(/(?<=^\/entity\/file\/|localhost:8000\/file\/)\d+/, (id) => String(filesOf.get(Number(id)) ?? id)),
    sameFile: (theirs, ours) => {
      if (!mapsFiles) return theirs === ours;
      if (filesOf.has(theirs)) return filesOf.get(theirs) === ours;
      if ([...filesOf.values()].includes(ours)) return false;
      filesOf.set(theirs, ours);
      return true;
    },
    same: (theirs, ours) => {
      if (mask.test(theirs)) return ours !== '';
      if (isTime(theirs) && isTime(ours) && Date.parse(theirs) < start && Date.parse(ours) < start) return true;
      if (secret.test(theirs) && secret.test(ours)) {
        oursOf.set(theirs, ours);
        return true;
      }
      if (!uuid.test(theirs) || !uuid.test(ours)) return false;
      if (oursOf.has(theirs) || theirsOf.has(ours)) return oursOf.get(theirs) === ours;
      oursOf.set(theirs, ours);
      theirsOf.set(ours, theirs);
      return true;
    },
    meet: ({ headers, text }) => {
      const cookie = /^(SESS[0-9a-f]{32}=[^;]+);/.exec(headers['set-cookie']?.[0] ?? '')?.[1];
      const token = /"logout_token":"([^"]+)"/.exec(text)?.[1];
      if (cookie !== undefined && token !== undefined) met.set('session', cookie).set('logout_token', token);
    },
  };
};

/** Everything in which the answer differs from the recorded one, a line each; none when they are equal. */
export const differencesOf = (
  exchange: Exchange,
  answer: Answer,
  translation: Translation,
  headers: readonly string[] = comparedHeaders,
): string[] => {
  const recorded = exchange.response;
  return [
    ...(recorded.status === answer.status ? [] : [`status: ${recorded.status} was, ${answer.status} is`]),
    ...headers.flatMap((name) => headerDifferences(name, recorded.headers[name], answer)),
    ...linkDifferences(
      listOf(recorded.headers['Link']).map((line) => translation.toOurs(line)),
      answer,
    ),
    ...cookieDifferences(recorded.headers['Set-Cookie'], answer),
    ...bodyDifferences(exchange, answer, translation),
  ];
};

const comparedHeaders: readonly string[] = ['Content-Type', 'Allow', 'Location', 'WWW-Authenticate'];

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

const headerDifferences = (name: string, theirs: string | readonly string[] | undefined, answer: Answer): string[] => {
  const was = listOf(theirs).join();
  const is = (answer.headers[name.toLowerCase()] ?? []).join();
  return was === is ? [] : [`${name}: ${was || '–'} was, ${is || '–'} is`];
};

/** Relations of the platform, which are not in the contract's tables. */
const unknownRelation = /rel="[^"]*\/(drupal-content-translation-\w+|revision-(delete|revert)-form)"/;

/** Compared as sets: one header line a link, or several links in one line. */
const linkDifferences = (theirs: readonly string[], answer: Answer): string[] => {
  const split = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(/, (?=<)/));
  const was = split(theirs).filter((link) => !unknownRelation.test(link));
  const is = split(answer.headers['link'] ?? []);
  return [
    ...was.filter((link) => !is.includes(link)).map((link) => `Link missing: ${link}`),
    ...is.filter((link) => !was.includes(link)).map((link) => `Link added: ${link}`),
  ];
};

/** Whether a cookie is set or taken back, for how long and with which attributes; its name and value are ours. */
const cookieDifferences = (theirs: string | readonly string[] | undefined, answer: Answer): string[] => {
  const attributes = (lines: readonly string[]): string =>
    lines
      .map((line) => line.replace(/^SESS[0-9a-f]{32}=[^;]*/, 'SESS'))
      .map((line) =>
        line
          .split('; ')
          .filter((part) => !/^expires=/i.test(part))
          .join('; '),
      )
      .join();
  const was = attributes(listOf(theirs));
  const is = attributes(answer.headers['set-cookie'] ?? []);
  return was === is ? [] : [`Set-Cookie: ${was || '–'} was, ${is || '–'} is`];
};

const bodyDifferences = (exchange: Exchange, answer: Answer, translation: Translation): string[] => {
  const recorded = exchange.response.body;
  const size = typeof recorded === 'string' ? /^\((\d+) bytes\)$/.exec(recorded)?.[1] : undefined;
  if (size !== undefined)
    return Number(size) === answer.bytes.length ? [] : [`body: ${size} bytes were, ${answer.bytes.length} are`];
  const [, length, hash] = (typeof recorded === 'string' && /^\(binary (\d+) ([0-9a-f]{32})\)$/.exec(recorded)) || [];
  if (hash !== undefined) {
    const ours = createHash('md5').update(answer.bytes).digest('hex');
    return ours === hash ? [] : [`body: ${length} other bytes were, ${show(answer.text)} is`];
  }
  const isText = typeof recorded === 'string' || !/json/.test(answer.headers['content-type']?.join() ?? '');
  if (isText) return valueDifferences('body', String(recorded), answer.text, translation);
  return valueDifferences('body', asContractRecord(recorded), parsed(answer.text), translation);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * A record has exactly the contract's members: no `path`, the log for every viewer and `[]` when it is empty.
 */
const asContractRecord = (body: unknown): unknown => {
  if (!isObject(body) || !('uuid' in body)) return body;
  const log = 'nid' in body ? 'revision_log' : 'mid' in body || 'tid' in body ? 'revision_log_message' : undefined;
  const members = Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'path'));
  if (log === undefined) return members;
  const isEmpty = members[log] === undefined || JSON.stringify(members[log]) === '[{"value":null}]';
  return isEmpty ? { ...members, [log]: [] } : members;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id of a file in the JSON of a request. */
const fileReference =
  /(?<="(?:thumbnail|field_media_(?:image|file|document|audio_file|video_file))": \[\{"target_id": )\d+/g;

/** Where the id of a file stands in a record. */
const fileId =
  /^body\.(fid\.0\.value|(thumbnail|field_media_(image|file|document|audio_file|video_file))\.\d+\.target_id)$/;

/** Where two JSON values differ, apart from ids that translate. */
const valueDifferences = (at: string, was: unknown, is: unknown, translation: Translation): string[] => {
  if (typeof was === 'number' && typeof is === 'number' && fileId.test(at)) {
    return translation.sameFile(was, is) ? [] : [`${at}: ${was} was, ${is} is`];
  }
  if (was === is) return [];
  if (typeof was === 'string' && typeof is === 'string' && translation.same(was, is)) return [];
  const [a, b] = [membersOf(was), membersOf(is)];
  if (a === undefined || b === undefined || Array.isArray(was) !== Array.isArray(is)) {
    return [`${at}: ${show(was)} was, ${show(is)} is`];
  }
  const refersElsewhere =
    'target_id' in a &&
    'target_id' in b &&
    valueDifferences(`${at}.target_id`, a['target_id'], b['target_id'], translation).length > 0;
  const names = refersElsewhere ? ['target_id'] : [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) => valueDifferences(`${at}.${name}`, a[name], b[name], translation));
};

/** The members of an object, or the elements of a list by index. */
const membersOf = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (Array.isArray(value)) return Object.fromEntries(Object.entries(value));
  return isObject(value) ? value : undefined;
};

const show = (value: unknown): string => (value === undefined ? '–' : JSON.stringify(value).slice(0, 300));
