/** Two proxies in front of the planted bugs: what each calls a violation in the answers to the witness's requests. */
import { installPrism } from '../../support/prism.mjs';
import { startPrismProxy, violationsOf } from './prism.mjs';

/**
 * The violations that a mutant's answers have and a healthy server's have not, by the name of the mutant. `start` starts a
 * proxy in front of an address; `violationsIn` reads what it says from an answer.
 */
const through = async ({ chosen, planted, start, violationsIn }) => {
  const server = await planted.startSwitchable({ seed: 'compare' });
  const proxy = await start(server.url);
  const seen = async (mutant, witness) => {
    const found = new Set();
    await server.become(mutant);
    const onReply = (reply) => violationsIn(reply).forEach((violation) => found.add(violation));
    // A witness of a broken answer may end with an error. What the proxy said until then counts.
    await Promise.resolve(witness(planted.sendOver(proxy.url, onReply))).catch(() => undefined);
    return found;
  };
  const results = new Map();
  for (const mutant of chosen) {
    const healthy = await seen(undefined, mutant.witness);
    const found = [...(await seen(mutant, mutant.witness))].filter((violation) => !healthy.has(violation));
    results.set(mutant.name, { found, falseAlarms: healthy.size });
  }
  await proxy.stop();
  await server.stop();
  return results;
};

export const byPrism = (chosen, planted) => {
  installPrism();
  const start = async (url) => startPrismProxy(await (await fetch(`${url}/openapi.json`)).text(), url);
  return through({ chosen, planted, start, violationsIn: violationsOf });
};

/** With `--fail` the proxy answers 502 and says what is broken. */
export const byAtollProxy = (chosen, planted, root) => {
  const start = async (target) =>
    planted.startProxy({ root, prepared: await planted.preparedFile(), target, fails: true });
  const violationsIn = ({ status, headers, body }) =>
    status === 502 && headers['atoll-proxy']?.[0] === 'broken-contract'
      ? [JSON.parse(body.toString() || '{"message":"HEAD"}').message]
      : [];
  return through({ chosen, planted, start, violationsIn });
};
