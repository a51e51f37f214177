/** Replays the dialogues of a part with the packaged site `starter-site`, each as the accounts that it is for. */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startAtoll } from './atoll.mjs';
import { makeClientSite } from './client-site.mjs';
import { playDialogue } from './dialogue.mjs';

const accountsOf = (file, everybody) => parse(readFileSync(file, 'utf8')).accounts ?? everybody;

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
    for (const account of accountsOf(join(folder, `${name}.yml`), Object.keys(credentials))) {
      const requests = await playOne(name, { folder, url, account, credentials, passwords });
      log.push(`${name} as ${account}: ${requests.length} requests`, ...linesOf(requests));
      faults.push(
        ...requests.flatMap((each) => each.faults.map((fault) => `${name} as ${account}, ${each.request}: ${fault}`)),
      );
    }
  }
  return { faults, log };
};

/** Replays the named dialogues of `part`, a folder that may have `lists` for the site. Resolves with what was wrong. */
export const replay = async (part, dialogues, keep) => {
  const { site, credentials, passwords } = makeClientSite();
  const lists = join(part, 'lists');
  if (existsSync(lists)) cpSync(lists, join(site, 'lists'), { recursive: true });
  try {
    // An answer that the document does not allow becomes a 500.
    const { url, stop } = await startAtoll('--site', site, '--fixture', 'empty', '--check-replies', 'fail');
    const { faults, log } = await playAll(dialogues, { folder: join(part, 'dialogues'), url, credentials, passwords });
    keep('requests.txt', log.join('\n'));
    return [...faults, ...(await stop())];
  } finally {
    rmSync(site, { recursive: true });
  }
};
