/** Has what the checks that only read share: how one is written, and who reads. */
import { anonymousAccount, type TargetAccount } from '../../../../exchange/exchange-target.ts';
import { addressPath } from '../../../../repository/repository.ts';
import { CheckFailure, CheckSkip, expectStatus, type Answer } from '../../answer.ts';
import type { AskedRequest, CheckContext, KnownEntity } from '../../check.ts';

/** The account that may most; the anonymous visitor where there is no other. */
export const readerOf = (context: CheckContext): TargetAccount => {
  try {
    return context.maker();
  } catch (error) {
    if (error instanceof CheckSkip) return anonymousAccount;
    throw error;
  }
};

/** A path with a parameter more. */
export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** GET of a path, with 200. */
export const readOk = async (
  context: CheckContext,
  path: string,
  as: TargetAccount = readerOf(context),
): Promise<Answer> => expectStatus(await context.ask({ path, as }), 200);

/** GET of the bytes of a file, and how `as` authenticates: a real site takes no Basic for those of a guarded scheme. */
export const readBytes = async (
  context: CheckContext,
  path: string,
  as: TargetAccount = readerOf(context),
): Promise<{ readonly answer: Answer; readonly by: AskedRequest['by'] }> => {
  const answer = await context.ask({ path, as });
  if (answer.status !== 403 || as.password === undefined) return { answer, by: undefined };
  const by = context.judge.operations.some(({ id }) => id === 'getToken') ? 'bearer' : 'session';
  return { answer: await context.ask({ path, as, by }), by };
};

/** The value, or a skip with this sentence. */
export const orSkip = <T>(value: T | undefined, sentence: string): T => {
  if (value !== undefined) return value;
  throw new CheckSkip(sentence);
};

/** The media of a bundle, or of any. */
export const mediaOf = ({ subjects }: CheckContext, bundle?: string): KnownEntity =>
  orSkip(
    bundle === undefined ? [...subjects.media.values()][0] : subjects.media.get(bundle),
    bundle === undefined ? 'No media is known.' : `No media of the type ${bundle} is known.`,
  );

/** The file of a media of a bundle, or of any. */
export const fileOf = ({ subjects }: CheckContext, bundle?: string): KnownEntity & { readonly content: string } =>
  orSkip(
    bundle === undefined ? [...subjects.files.values()][0] : subjects.files.get(bundle),
    bundle === undefined ? 'No file is known.' : `No file of a media of the type ${bundle} is known.`,
  );

/** The names in braces of an address of a row. Paths of media are whole, for a site may have them elsewhere. */
const places: Readonly<Record<string, (context: CheckContext) => string | number>> = {
  node: ({ subjects }) => subjects.node.id,
  unpublished: ({ subjects }) => orSkip(subjects.unpublished, 'No unpublished node is known.').id,
  absent: ({ subjects }) => subjects.absentId,
  media: (context) => addressPath(context.contract.site, 'media', mediaOf(context).id),
  mediaId: (context) => mediaOf(context).id,
  absentMedia: ({ contract, subjects }) => addressPath(contract.site, 'media', subjects.absentId),
  file: (context) => fileOf(context).id,
  content: (context) => fileOf(context).content,
  term: ({ subjects }) => orSkip(subjects.terms.model, 'No term is known.'),
};

/** An address of a row: `/node/{node}?_format=json`. Throws `CheckSkip` where nothing is known to put there. */
export const addressWith = (context: CheckContext, pattern: string): string =>
  pattern.replace(/\{(\w+)\}/g, (text, name: string) => String(places[name]?.(context) ?? text));

/** Throws the first sentence of a list of what is wrong. */
export const expectNone = (wrong: readonly string[]): void => {
  if (wrong[0] !== undefined) throw new CheckFailure(wrong[0]);
};

export const isVisitor = ({ name }: TargetAccount): boolean => name === anonymousAccount.name;
