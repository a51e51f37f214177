/** Asks the questions of `npm run bench`: sends one kind of request for some time, checks each reply, and measures. */
import autocannon from 'autocannon';
import { fetchOnce, headLoad } from './contenders.mjs';

/**
 * Makes the function that asks a question by name for some seconds. It returns replies per second, the server's processor time
 * for each in microseconds, and the 99th percentile in milliseconds. Throws when a reply is wrong.
 */
export const createAsk = async (questions) => {
  const expected = new Map();
  for (const [name, { server, path, headers, exact }] of Object.entries(questions)) {
    if (exact) expected.set(name, (await fetchOnce(server.port, path, headers)).body);
  }
  return async (name, seconds) => {
    const { server, method, path } = questions[name];
    const before = server.cpuMs();
    const load = method === 'HEAD' ? await askHead(server, path, seconds) : await ask(name, seconds);
    const wrong = load.answered - load.right;
    if (load.faults > 0 || wrong > 0 || load.answered === 0)
      throw new Error(`${name}: ${wrong} of ${load.answered} answers ${load.seen}, ${load.faults} faults`);
    const cpuUs = ((server.cpuMs() - before) * 1000) / load.answered;
    return { perSecond: load.answered / load.duration, cpuUs, p99: load.p99 };
  };

  async function ask(name, duration) {
    const { server, status, statuses = [status], isRight, path = '/', connections = 20, ...sent } = questions[name];
    const right = expected.get(name);
    const result = await autocannon({
      ...{ url: `http://127.0.0.1:${server.port}${path}`, connections, duration, timeout: 30, sampleInt: 100 },
      ...{ method: sent.method ?? 'GET', headers: sent.headers, body: sent.body, requests: sent.requests },
      verifyBody: right === undefined ? isRight : (body) => body === right,
    });
    return {
      answered: result.requests.total,
      right: statuses.reduce((sum, code) => sum + (result.statusCodeStats[code]?.count ?? 0), 0),
      faults: result.errors + result.mismatches + result.timeouts,
      ...{ duration: result.duration, p99: result.latency.p99, seen: JSON.stringify(result.statusCodeStats) },
    };
  }
};

const askHead = async ({ port }, path, duration) => {
  const { answered, right } = await headLoad(port, path, duration);
  return { answered, right, duration, faults: 0, p99: 0, seen: '' };
};

/** Measures all of them in rounds: those that are compared follow one another. Returns the results of each by name. */
export const askInRounds = async (questions, { rounds, seconds, onRound }) => {
  const ask = await createAsk(questions);
  const names = Object.keys(questions);
  const results = new Map(names.map((name) => [name, []]));
  for (const name of names) await ask(name, seconds / 2);
  for (let round = 1; round <= rounds; round += 1) {
    onRound(round);
    // Each round starts with another question, because the one after the writes pays for them.
    const first = Math.floor((names.length * (round - 1)) / rounds);
    for (const name of [...names.slice(first), ...names.slice(0, first)])
      results.get(name).push(await ask(name, seconds));
  }
  return results;
};
