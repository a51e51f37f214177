/**
 * The baseline of a mock: one route of Express for each path, which calls the same schemas, compiled by Ajv before, for parameters
 * and body, and sends the answer that Atoll sends. Written as a careful person would write it by hand.
 */
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import express from 'express';

const [documentFile, answerFile, port] = process.argv.slice(2);
const document = JSON.parse(readFileSync(documentFile, 'utf8'));
const answer = JSON.parse(readFileSync(answerFile, 'utf8'));

const ajv = new Ajv2020.Ajv2020({ strict: false, useDefaults: true, coerceTypes: 'array' });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', components: document.components });
const withKey = (schema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
const compile = (schema) => ajv.compile(withKey(schema));
const checkOf = (parameters, place) =>
  compile({
    type: 'object',
    required: parameters.filter((each) => each.in === place && each.required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]),
    ),
  });

const app = express().disable('x-powered-by').disable('etag');
app.use(express.json());
for (const [path, { parameters: shared, get, post }] of Object.entries(document.paths)) {
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const checkPath = checkOf(shared, 'path');
  const checkQuery = checkOf(get.parameters, 'query');
  const checkBody = compile(post.requestBody.content['application/json'].schema);
  const reply = (response) => response.json(answer);
  app.get(route, (request, response) => {
    const isRight = checkPath({ ...request.params }) && checkQuery({ ...request.query });
    return isRight ? reply(response) : response.status(400).end();
  });
  app.post(route, (request, response) => {
    if (!checkPath({ ...request.params })) return response.status(400).end();
    return checkBody(request.body) ? reply(response) : response.status(422).end();
  });
}
app.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
