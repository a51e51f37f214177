/** Compares what holds for a whole site and no document shows: switches, limits, lifetimes, prefixes of languages, text formats. */
import type { Site } from '../../repository/repository.ts';
import { answers, differencesOf, harmless, requests, type Difference, type Said, type Side } from './difference.ts';

export const compareSettings = (before: Site, after: Site): readonly Difference[] => [
  ...storages(before, after),
  ...switched(switches, before, after),
  ...values.flatMap(([key, read, said]) => {
    const { found, note } = differencesOf(`site${key}`);
    const [was, is] = [read(before), read(after)];
    note(was !== is, ...said(is, was));
    return found;
  }),
  ...lists.flatMap(([key, read]) => {
    const { found, members } = differencesOf(`site.${key}`);
    members(read(before), read(after), ['does not have % any more', requests], ['has % now', harmless]);
    return found;
  }),
];

type Switch = readonly [key: string, read: (site: Site) => boolean, off: Said, on: Said];

const switched = (rows: readonly Switch[], before: Site, after: Site): readonly Difference[] =>
  rows.flatMap(([key, read, off, on]) => {
    const { found, toggled } = differencesOf(`site.${key}`);
    toggled(read(before), read(after), off, on);
    return found;
  });

const plain = (
  key: string,
  read: (site: Site) => boolean,
  whenOff: readonly Side[],
  whenOn: readonly Side[],
): Switch => [...([key, read] as const), ['is off now', whenOff], ['is on now', whenOn]];

const switches: readonly Switch[] = [
  plain('links.platform', ({ platformLinks }) => platformLinks, answers, harmless),
  plain('jsonld.format_suffix', ({ jsonldFormatSuffix }) => jsonldFormatSuffix, answers, answers),
  plain('tokens.of_today', ({ tokensOfToday }) => tokensOfToday, answers, answers),
  plain('tokens.at_login', ({ tokenAtLogin }) => tokenAtLogin, answers, harmless),
  plain('method_override', ({ methodOverride }) => methodOverride, requests, harmless),
];

type Value = string | number;
type Sentence = (is: Value, was: Value) => Said;

const instead =
  (breaks: readonly Side[]): Sentence =>
  (is, was) => [`is ${is} instead of ${was}`, breaks];
const limit: Sentence = (is, was) => [`is ${is} instead of ${was}`, is < was ? requests : harmless];

/** A shorter lifetime makes clients sign in again sooner, which every client must be able to do. */
const values: readonly (readonly [key: string, read: (site: Site) => Value, said: Sentence])[] = [
  ['', ({ relationsBase }) => relationsBase, (is) => [`has the relations base ${is}`, answers]],
  ['', ({ name }) => name, (is, was) => [`is called "${is}" instead of "${was}"`, harmless]],
  ['', ({ leniency }) => leniency, (is) => [`has the leniency ${is}`, is === 'none' ? requests : harmless]],
  ['.langcode', ({ langcode }) => langcode, instead(answers)],
  ['.default_scheme', ({ defaultScheme }) => defaultScheme, instead(harmless)],
  ['.limits.json_bytes', ({ maxJsonBytes }) => maxJsonBytes, limit],
  ['.limits.upload_bytes', ({ maxUploadBytes }) => maxUploadBytes, limit],
  ['.tokens.lifetime', ({ tokenSeconds }) => tokenSeconds, instead(harmless)],
  ['.sessions.lifetime', ({ sessionSeconds }) => sessionSeconds, instead(harmless)],
];

const lists: readonly (readonly [key: string, read: (site: Site) => readonly string[]])[] = [
  ['language_prefixes', ({ prefixLanguages }) => prefixLanguages],
  ['text_formats', ({ textFormats }) => textFormats],
];

/** The documents show where the files of a storage are, and not who may read them. */
const storages = (before: Site, after: Site): readonly Difference[] =>
  before.storages.flatMap(({ scheme, access }) => {
    const { found, toggled } = differencesOf(`site.storages.${scheme}`);
    const now = after.storages.find((storage) => storage.scheme === scheme)?.access ?? access;
    const guarded = 'is guarded: not everybody reads its files any more';
    toggled(
      access === 'open',
      now === 'open',
      [guarded, requests],
      ['is open: everybody reads its files now', harmless],
    );
    return found;
  });
