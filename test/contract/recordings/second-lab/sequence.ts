/** Runs a recorded group in its order against a clean site, whose clock and ids stand where the recorded site's stood. */
import { createTestAtoll, type TestAtoll } from '../../../support/atoll.ts';
import { createTranslation, differencesOf, type Answer, type Translation } from '../compare.ts';
import { listen, type Listening, type Sent } from '../http.ts';
import { credentialHeaders, createWallet, maskedToken, meet, accountOf, type Wallet } from './credentials.ts';
import { bytesOf, recordedGroup, type Group, type Recorded } from './groups.ts';
import { drawTo, idsOf, isDone, mayNeedTakingBack } from './in-step.ts';
import { startOf, timesOf } from './times.ts';
import { handlersThatTell } from './told-changes.ts';

/** An exchange, our answer, and everything in which it differs. */
export type Compared = {
  readonly group: Group;
  readonly exchange: Recorded;
  readonly answer: Answer;
  readonly differences: readonly string[];
};

export type Lab = {
  /** The compared exchanges of a group, without those that only prepare, and how many were left out. */
  run(group: Group): Promise<{ readonly compared: readonly Compared[]; readonly leftOut: number }>;
  /** What accepted writes so far did not store as it was sent, and did not advise of. */
  readonly untold: readonly string[];
  close(): Promise<void>;
};

/** The CSRF token of the editor, which stands in a few headers as it was. */
const recordedCsrfToken = 'hDeyTtMp1kMdM3OK2OeiE9K3nj46MYMdAHFaDWOa5Iw';
const sessionName = 'SESS49960de5880e8c687434170f6476605b';

/** The group that was recorded with the site's page caches on. */
const cachesGroup: Group = 'caches-on';

const turnCachesOn: Sent = {
  method: 'POST',
  path: '/_atoll/faults',
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from('{"fault":"stale-reads"}'),
};

export const openLab = async (): Promise<Lab> => {
  const untold: string[] = [];
  const atoll = await createTestAtoll({
    fixture: 'empty',
    site: (site) => ({ ...site, flood: undefined, methodOverride: true, tokensOfToday: true, tokenAtLogin: true }),
    app: { handlers: handlersThatTell(untold) },
    untold,
  });
  const listening = await listen(atoll.app);
  return {
    run: async (group) => {
      atoll.clock.set('2026-11-22T05:00:00Z');
      await atoll.reset();
      if (group === cachesGroup) await listening.send(turnCachesOn);
      return runGroup(atoll, listening, group);
    },
    untold,
    close: () => listening.close(),
  };
};

type Run = {
  readonly atoll: TestAtoll;
  readonly listening: Listening;
  readonly wallet: Wallet;
  readonly translation: Translation;
};

const runGroup = async (atoll: TestAtoll, listening: Listening, group: Group): ReturnType<Lab['run']> => {
  const recorded = completeSequence(group);
  const run: Run = {
    atoll,
    listening,
    wallet: createWallet(),
    translation: createTranslation({ start: startOf(recorded), mapsFiles: true }),
  };
  const times = timesOf(recorded);
  const ids = idsOf(recorded);
  const headers =
    group === cachesGroup ? [...sequenceHeaders, 'X-Drupal-Cache', 'X-Drupal-Dynamic-Cache'] : sequenceHeaders;
  const compared: Compared[] = [];
  for (const [at, exchange] of recorded.entries()) {
    moveClock(atoll, times[at]);
    if (exchange.isLeftOut) continue;
    await drawTo(atoll.worlds.main, ids[at] ?? {});
    const answer = await sendInStep(run, exchange);
    const differences = told(differencesOf(exchange, answer, run.translation, headers), exchange, answer);
    if (!exchange.prepares) compared.push({ group, exchange, answer, differences });
  }
  return { compared, leftOut: recorded.filter(({ isLeftOut, prepares }) => isLeftOut && !prepares).length };
};

/** One group was recorded without the exchanges that prepare; they were those of every other group. */
const completeSequence = (group: Group): readonly Recorded[] => {
  const recorded = recordedGroup(group);
  if (group !== cachesGroup) return recorded;
  const prepared = recordedGroup('deletes-dangling-links').filter(({ prepares }) => prepares);
  // When they happened, and with which uuids, the records of the group itself tell.
  const untold = prepared.map((one) => ({ ...one, response: { ...one.response, body: '' } }));
  return [...untold, ...recorded];
};

/** Where the status differs, the body is another one as a whole. */
const told = (differences: readonly string[], { response }: Recorded, answer: Answer): readonly string[] =>
  response.status === answer.status
    ? differences
    : [
        ...differences.filter((line) => !/^(body|Link)\b/.test(line)),
        ...(differences.some((line) => line.startsWith('body'))
          ? [`body: ${JSON.stringify(response.body).slice(0, 200)} was, ${answer.text.slice(0, 200)} is`]
          : []),
      ];

/** Takes back what we did and the recorded site refused: the exchanges that follow presume that. */
const sendInStep = async (run: Run, exchange: Recorded): Promise<Answer> => {
  if (!mayNeedTakingBack(exchange)) {
    const answer = await send(run, exchange);
    await logOutAsWell(run, exchange, answer);
    return answer;
  }
  const { main } = run.atoll.worlds;
  const state = main.saveState();
  const release = state.hold();
  const answer = await send(run, exchange);
  if (isDone(answer)) {
    await main.reset(state);
    run.wallet.sessions.clear();
  }
  release();
  return answer;
};

/** The recorded site has ended a session, and we refused to. */
const logOutAsWell = async (
  { wallet, listening }: Run,
  { request, response }: Recorded,
  answer: Answer,
): Promise<void> => {
  if (!request.path.startsWith('/user/logout') || response.status !== 302 || isDone(answer)) return;
  const { cookie, logout } = wallet.sessions.get(accountOf(request.credentials)) ?? { cookie: '', logout: '' };
  const path = `/user/logout?_format=json&token=${logout}`;
  await listening.send({ method: 'POST', path, headers: { Cookie: cookie } });
};

const sequenceHeaders = [
  ...['Content-Type', 'Allow', 'Location', 'WWW-Authenticate', 'Cache-Control', 'Expires', 'Content-language'],
  ...['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'],
];

/** Forward only: to the told time, or a moment later. */
const moveClock = ({ clock }: TestAtoll, told: number | undefined): void => {
  if (told !== undefined && told >= clock.now()) clock.set(new Date(told).toISOString());
  else clock.advance(0.001);
};

const send = async (run: Run, { label, request, sent }: Recorded): Promise<Answer> => {
  const { atoll, wallet, translation } = run;
  const { credentials } = request;
  await ensureCredentials(run, credentials);
  const passwordOf = (account: string): string =>
    atoll.site.accounts.find(({ name }) => name === account)?.demoPassword ?? 'wrong';
  const sign = { label, now: Math.floor(atoll.clock.now() / 1000), baseUrl: 'http://localhost:8000' };
  const ours = (text: string): string =>
    translation
      .toOurs(text)
      .replaceAll('<jwt>', () => wallet.tokens.get('editor') ?? '')
      .replaceAll(`${sessionName}=<session>`, () => staleCookie(wallet))
      .replaceAll(recordedCsrfToken, () => wallet.sessions.get('editor')?.csrf ?? '')
      .replaceAll('<token>', () => maskedToken(wallet, label, credentials));
  const own = Object.entries(request.headers).map(([name, value]): [string, string | readonly string[]] => [
    name,
    typeof value === 'string' ? bytesOf(ours(value)).toString('latin1') : value,
  ]);
  const answer = await run.listening.send({
    method: request.method,
    path: ours(request.path),
    headers: { ...credentialHeaders(credentials, wallet, passwordOf, sign), ...Object.fromEntries(own) },
    body: sent === undefined ? undefined : translatedBody(sent, translation),
  });
  meet(wallet, request.path, credentials, answer);
  return answer;
};

/** A cookie of the right name, whose session does not exist. */
const staleCookie = ({ sessions }: Wallet): string =>
  (sessions.get('editor')?.cookie ?? '').replace(/=.*/, '=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');

/** Bodies that are text may name uuids and files. */
const translatedBody = (sent: Buffer, translation: Translation): Buffer =>
  Buffer.from(translation.toOurs(sent.toString('latin1')), 'latin1');

/** A session or token that the recording has, but not the request that made it. */
const ensureCredentials = async (run: Run, credentials: string | null): Promise<void> => {
  const { atoll, wallet, listening } = run;
  const name = accountOf(credentials);
  const account = atoll.site.accounts.find((one) => one.name === name);
  if (account === undefined || credentials === null) return;
  const pass = account.demoPassword ?? '';
  if (credentials.endsWith('(token)') && !wallet.tokens.has(name)) {
    const Authorization = `Basic ${Buffer.from(`${name}:${pass}`).toString('base64')}`;
    meet(
      wallet,
      '/jwt/token',
      name,
      await listening.send({ method: 'GET', path: '/jwt/token', headers: { Authorization } }),
    );
  }
  if (credentials.includes('(session cookie') && !wallet.sessions.has(name)) {
    const login = await listening.send({
      method: 'POST',
      path: '/user/login?_format=json',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ name, pass })),
    });
    meet(wallet, '/user/login', null, login);
  }
};
