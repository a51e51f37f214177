/**
 * The baseline of durable writes: Express reads the JSON of a POST or PATCH, checks it with the schema of the document that Atoll
 * compiles, appends it to a file as one line, and sends a recorded reply when the line is synced. Lines that come while a sync
 * runs share the next one. Arguments: port (0 for any), recorded replies by method, document, file to append to.
 */
import { fdatasync, openSync, readFileSync, write } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import express from 'express';

const [port, recorded, documentFile, file] = process.argv.slice(2);
const replies = JSON.parse(readFileSync(recorded, 'utf8'));

/** Compiles the schema of the operation's body with the options of `src/repository/engine/backend.ts`. */
const compile = ({ paths }, path, method) => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false, code: { optimize: false } });
  addFormats.default(ajv);
  for (const name of ['float', 'double', 'byte', 'binary', 'password']) ajv.addFormat(name, true);
  return ajv.compile(paths[path][method].requestBody.content['application/json'].schema);
};

/** Appends lines in batches: `append` calls back when the line is synced. */
const appenderTo = (descriptor) => {
  let waiting = [];
  let isWriting = false;
  const writeBatch = () => {
    const batch = waiting;
    waiting = [];
    isWriting = true;
    const finish = (error) => {
      isWriting = false;
      if (waiting.length > 0) writeBatch();
      for (const { done } of batch) done(error);
    };
    const bytes = Buffer.from(batch.map(({ line }) => line).join(''));
    write(descriptor, bytes, (error) => (error ? finish(error) : fdatasync(descriptor, finish)));
  };
  return (line, done) => {
    waiting.push({ line, done });
    if (!isWriting) writeBatch();
  };
};

const document = await SwaggerParser.dereference(JSON.parse(readFileSync(documentFile, 'utf8')));
const append = appenderTo(openSync(file, 'a'));

const take = (path, method) => {
  const isValid = compile(document, path, method);
  const { status, headers, body } = replies[method.toUpperCase()];
  return (request, response) => {
    if (!isValid(request.body)) {
      response.writeHead(422).end(JSON.stringify(isValid.errors));
      return;
    }
    append(`${JSON.stringify(request.body)}\n`, (error) => {
      if (error) response.writeHead(503).end(String(error));
      else response.writeHead(status, headers).end(body);
    });
  };
};

const app = express().disable('x-powered-by').disable('etag');
app.use(express.json());
app.get('/', (_request, response) => response.end());
app.post('/node', take('/node', 'post'));
app.patch('/node/:id', take('/node/{node_id}', 'patch'));
const server = app.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
});
