/** Says what the words of a probe stand for at one server: who asks, records in a state, requests, uploads. Makes what is not there. */
import { basicCredentials } from '../../../basics/formats/basic-credentials.ts';
import type { CheckContext } from '../check.ts';
import { orSkip } from '../checks/reading/reading-check.ts';
import { plain, type NamedThings, type Thing } from './thing.ts';
import { openSession, sharedSession } from './sessions.ts';
import { recordThings } from './record-things.ts';
import { uploadThings } from './upload-things.ts';
import { forgedToken, getToken } from './tokens.ts';

const passwordOf = (context: CheckContext): string =>
  orSkip(context.maker().password, `The password of ${context.maker().name} is not known here.`);

const askers: NamedThings = [
  ['maker', plain((context) => ({ name: context.maker().name, password: passwordOf(context) }))],
  ['credentials', plain((context) => basicCredentials(context.maker().name, passwordOf(context)))],
  ['wrong credentials', plain(({ maker }) => basicCredentials(maker().name, `not the password of ${maker().name}`))],
  ['shared session', plain(sharedSession)],
  ['session', plain(openSession)],
  ['token', plain(getToken)],
  ['forged token', (rest) => ({ make: (context) => forgedToken(context, rest) })],
];

const all: NamedThings = [...askers, ...recordThings, ...uploadThings];

/** Throws for words that stand for nothing. */
export const thingFor = (words: string): Thing => {
  // The longest beginning says what it is.
  const found = all
    .filter(([beginning]) => words === beginning || words.startsWith(`${beginning} `))
    .sort(([one], [other]) => other.length - one.length)[0];
  if (found === undefined) throw new Error(`Nothing says what "${words}" is.`);
  return found[1](words.slice(found[0].length + 1));
};
