/**
 * Asks a front-end team's document of Atoll and of Prism, and prints the table of both: `npm run test:suite -- team-document`. Fewer
 * than 33 right answers of Atoll make it fail.
 */
import { request as httpRequest } from 'node:http';
import { builtProgram } from '../../support/built-program.mjs';
import { installPrism, prismVersion, startPrism } from '../../support/prism.mjs';
import { startProgram } from '../../support/started-program.mjs';
import { documentFile, judgeAll } from './judge.mjs';

const least = 33;

/** `fetch` sends headers of its own, such as `Accept`. */
const askAt =
  (url) =>
  ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const sent = httpRequest(`${url}${path}`, { method, headers: { ...headers, ...length } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => (text += piece));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });

const judgedAt = async ({ url, stop }) => {
  try {
    return await judgeAll(askAt(url));
  } finally {
    await stop();
  }
};

const shown = ({ status, wrong }) => (wrong.length === 0 ? `${status}` : `**${status}**: ${wrong.join('; ')}`);
const rightOf = (judged) => judged.filter(({ wrong }) => wrong.length === 0).length;

const program = await builtProgram();
installPrism();
const atoll = await judgedAt(await startProgram(program, ['--document', documentFile, '--stateless']));
const prism = await judgedAt(await startPrism('mock', documentFile));
const rows = atoll.map((each, index) => `| ${each.name} | ${shown(each)} | ${shown(prism[index])} |`);
process.stdout.write(
  [
    `| Request | Atoll | Prism ${prismVersion()} |`,
    '| --- | --- | --- |',
    ...rows,
    `| right of ${atoll.length} | ${rightOf(atoll)} | ${rightOf(prism)} |`,
    '',
  ].join('\n'),
);
process.exitCode = rightOf(atoll) < least ? 1 : 0;
