/**
 * Replays the dialogues of a part with the packaged site `starter-site`, each as the accounts that it is for. A dialogue with
 * `events: none` has a site that makes no derivatives by itself: its client is the one who makes them. All others have one that does.
 */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startAtoll } from './atoll.mjs';
import { makeClientSite } from './client-site.mjs';
import { playDialogue } from './dialogue.mjs';

const headOf = (folder, name) => parse(readFileSync(join(folder, `${name}.yml`), 'utf8'));

const eventsOf = (folder, name) => headOf(folder, name).events ?? 'services';

/** One dialogue as one account. Resolves with its requests, each with what was wrong in its answer. */
const playOne = async (name, { folder, url, account, credentials, passwords }) => {
  const names = new Map([
    ['account', account],
    ['credentials', credentials[account]],
    ['password', passwords[account]],
  ]);
  const requests = [];
  const report = (request, faults) => requests.push({ request, faults });
  try {
    await playDialogue(name, { folder, url, names, report });
  } catch (error) {
    requests.push({ request: 'the next', faults: [error.message] });
  }
  return requests;
};

const linesOf = (requests) =>
  requests.map(({ request, faults }) => `  ${request}${faults.map((fault) => `\n    WRONG: ${fault}`).join('')}`);

const playAll = async (dialogues, { folder, url, credentials, passwords }) => {
  const faults = [];
  const log = [];
  for (const name of dialogues) {
    for (const account of headOf(folder, name).accounts ?? Object.keys(credentials)) {
      const requests = await playOne(name, { folder, url, account, credentials, passwords });
      log.push(`${name} as ${account}: ${requests.length} requests`, ...linesOf(requests));
      faults.push(
        ...requests.flatMap((each) => each.faults.map((fault) => `${name} as ${account}, ${each.request}: ${fault}`)),
      );
    }
  }
  return { faults, log };
};

/** Plays the dialogues at a site of their own. */
const playAt = async (events, dialogues, { site, ...play }) => {
  // An answer that the document does not allow becomes a 500.
  const given = ['--site', site, '--fixture', 'empty', '--check-replies', 'fail', '--events', events];
  const { url, stop } = await startAtoll(...given);
  const { faults, log } = await playAll(dialogues, { ...play, url });
  return { faults: [...faults, ...(await stop())], log };
};

/** Replays the named dialogues of `part`, a folder that may have `lists` for the site. Resolves with what was wrong. */
export const replay = async (part, dialogues, keep) => {
  const { site, credentials, passwords } = makeClientSite();
  const folder = join(part, 'dialogues');
  const lists = join(part, 'lists');
  if (existsSync(lists)) cpSync(lists, join(site, 'lists'), { recursive: true });
  const played = [];
  try {
    for (const events of ['services', 'none']) {
      const those = dialogues.filter((name) => eventsOf(folder, name) === events);
      played.push(await playAt(events, those, { site, folder, credentials, passwords }));
    }
    keep('requests.txt', played.flatMap(({ log }) => log).join('\n'));
    return played.flatMap(({ faults }) => faults);
  } finally {
    rmSync(site, { recursive: true });
  }
};
