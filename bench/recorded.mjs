/** Records replies of Atoll, which the baselines send. */
import { request as send } from 'node:http';

/** One reply: `status`, `headers` (a list for names that repeat) and the text of the body. Without what belongs to one connection. */
export const record = ({ port, path, method = 'GET', headers = {}, body }) =>
  new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: headersOf(response.rawHeaders), body: text }),
      );
    });
    request.on('error', reject).end(body);
  });

const headersOf = (raw) => {
  const headers = {};
  for (let at = 0; at < raw.length; at += 2) {
    const [name, value] = raw.slice(at, at + 2);
    if (/^(date|connection|keep-alive)$/i.test(name)) continue;
    headers[name] = name in headers ? [headers[name], value].flat() : value;
  }
  return headers;
};
