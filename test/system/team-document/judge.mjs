/**
 * Judges answers to the 35 requests of a front-end team's document. `requests.json` says what is right, and was decided before anything
 * was run; `assertions.json` says the words of its `body` and `note` as schemas and texts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const read = (name) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

export const documentFile = join(import.meta.dirname, 'document.yaml');
export const requests = read('requests.json');
const assertions = read('assertions.json');

const ajv = new Ajv2020({ strict: true, strictTypes: false });
addFormats.default(ajv);

/** Every request, with what is wrong about its answer: nothing when it is right. `ask` sends one. */
export const judgeAll = async (ask) => {
  const judged = [];
  for (const request of requests) {
    const answer = await ask(request);
    const again = assertions[request.name]?.isRepeated === true ? await ask(request) : answer;
    judged.push({ name: request.name, status: answer.status, wrong: wrongOf(request, answer, again) });
  }
  return judged;
};

const wrongOf = ({ name, right }, answer, again) => {
  const { status, type, headers = [] } = right;
  return [
    ...(status.includes(answer.status) ? [] : [`the status is ${answer.status}, not ${status.join(' or ')}`]),
    ...typeFaults(type, answer),
    ...headers.filter((each) => answer.headers[each.toLowerCase()] === undefined).map((each) => `${each} is missing`),
    ...(again.text === answer.text ? [] : ['the second answer is another one']),
    ...assertionFaults(assertions[name] ?? {}, answer),
  ];
};

const typeFaults = (wanted, { headers }) => {
  const [sent] = (headers['content-type'] ?? 'none').split(';');
  return wanted === undefined || sent.trim().toLowerCase() === wanted
    ? []
    : [`the media type is ${sent}, not ${wanted}`];
};

const assertionFaults = ({ anyOf, status, type, headers = {}, absent = [], text, contains, body }, answer) => {
  if (anyOf !== undefined) {
    const all = anyOf.map((each) => assertionFaults(each, answer));
    return all.some((faults) => faults.length === 0) ? [] : all[0];
  }
  const wrongHeaders = Object.entries(headers).filter(([name, value]) => answer.headers[name] !== value);
  return [
    ...(status === undefined || status === answer.status ? [] : [`the status is ${answer.status}`]),
    ...typeFaults(type, answer),
    ...wrongHeaders.map(([name]) => `${name} is ${answer.headers[name] ?? 'missing'}`),
    ...absent.filter((name) => answer.headers[name] !== undefined).map((name) => `${name} is there`),
    ...(text === undefined || text === answer.text ? [] : [`the body is ${JSON.stringify(answer.text.slice(0, 80))}`]),
    ...(contains === undefined || answer.text.includes(contains) ? [] : [`the body does not say ${contains}`]),
    ...(body === undefined ? [] : bodyFaults(body, answer.text)),
  ];
};

const bodyFaults = (schema, text) => {
  try {
    const validate = ajv.compile(schema);
    return validate(JSON.parse(text)) ? [] : [`the body: ${ajv.errorsText(validate.errors, { dataVar: '' })}`];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return ['the body is no JSON'];
  }
};
