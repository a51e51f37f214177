/**
 * OpenAPI documents that nobody here wrote. They are taken from packages at the time of a run, and nothing of them is in git. What a
 * package holds is the one of its version: npm's integrity is compared.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
/** Git ignores it. */
export const work = join(root, 'coverage/foreign');

/** `file` is its root document; the others of its folder come along. `operations` is how many of them the short form asks. */
export const documents = {
  github: {
    holds: 'OpenAPI 3.0, more than a thousand operations in 13 MB',
    package: '@octokit/openapi@23.0.2',
    integrity: 'sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==',
    licence: 'MIT',
    file: 'generated/api.github.com.json',
    operations: 40,
  },
  galaxy: {
    holds: 'OpenAPI 3.1: XML, files, every kind of credentials, callbacks',
    package: '@scalar/galaxy@0.6.12',
    integrity: 'sha512-406+1YbTRAj1nSSUPLzHOCjQ5mIZbCKUlK2ycgn5JqZJziYXoFrIdBIPdaVh9Sk/33rpdULs3uFaMWT7jBgR7g==',
    licence: 'MIT',
    file: 'dist/3.1.yaml',
  },
  petstore: {
    holds: 'OpenAPI 3.0: forms, multipart, XML, keys',
    package: '@readme/oas-examples@8.2.2',
    integrity: 'sha512-uytlvlylq3zpemG0h1R7ijlMBCajqXU0VpMI1Iw+j92s77Y/oT6pBf3BZN0lYl0WIGTh7POM4Jdu7L14eCzwXQ==',
    licence: 'MIT',
    file: '3.0/json/petstore.json',
  },
  trains: {
    holds: 'OpenAPI 3.1: oauth2, oneOf with discriminators, problem details, XML',
    package: '@readme/oas-examples@8.2.2',
    integrity: 'sha512-uytlvlylq3zpemG0h1R7ijlMBCajqXU0VpMI1Iw+j92s77Y/oT6pBf3BZN0lYl0WIGTh7POM4Jdu7L14eCzwXQ==',
    licence: 'MIT',
    file: '3.1/json/train-travel.json',
  },
  divided: {
    holds: 'the trains again, which Redocly has divided into 25 files',
    package: '@readme/oas-examples@8.2.2',
    integrity: 'sha512-uytlvlylq3zpemG0h1R7ijlMBCajqXU0VpMI1Iw+j92s77Y/oT6pBf3BZN0lYl0WIGTh7POM4Jdu7L14eCzwXQ==',
    licence: 'MIT',
    file: '3.1/json/train-travel.json',
    dividedBy: 'redocly',
  },
  files: {
    holds: 'OpenAPI 3.0 in several files, with schemas that contain themselves',
    package: 'ibm-openapi-validator@1.38.4',
    integrity: 'sha512-xxPbylxZoRlmAtmTTd+nWXpZu9EKD3OMmVaS51K4ifV+JXnJVBd1q8fGuHUwk2T3KbbMRfiKGmVWoavXiNaxGQ==',
    licence: 'Apache-2.0',
    file: 'test/cli-validator/mock-files/multi-file-spec/main.yaml',
  },
};

/** The root file of a document, which is fetched where it is not at hand. Throws for a package that is another one. */
export const fetchDocument = (name) => {
  const { package: wanted, integrity, licence, file, dividedBy } = documents[name];
  const folder = join(work, name);
  const whole = join(folder, 'package', file);
  const path = dividedBy === undefined ? whole : join(folder, 'divided/openapi.json');
  const stamp = join(folder, 'fetched.txt');
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, 'utf8') === integrity) return path;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = JSON.parse(npm('pack', wanted, '--json', '--pack-destination', folder))[0];
  if (packed.integrity !== integrity)
    throw new Error(`${wanted} is not the one that was reviewed: ${packed.integrity}`);
  const archive = join(folder, packed.filename);
  const beside = file.replace(/[^/]*$/, '');
  // The other documents of a package may be much larger.
  const isAlone = name === 'github';
  run(
    'tar',
    '-xzf',
    archive,
    '-C',
    folder,
    '--no-same-owner',
    'package/package.json',
    `package/${isAlone ? file : beside}`,
  );
  const about = join(folder, 'package/package.json');
  const { license } = JSON.parse(readFileSync(about, 'utf8'));
  if (license !== licence) throw new Error(`${wanted} has the licence ${license}, not ${licence}.`);
  // Jest takes it for a package of this project.
  for (const each of [archive, about]) rmSync(each);
  if (dividedBy !== undefined) run('npx', dividedBy, 'split', whole, '--outDir', join(folder, 'divided'));
  writeFileSync(stamp, integrity);
  return path;
};

const run = (command, ...given) =>
  execFileSync(command, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 });
const npm = (...given) => run('npm', ...given);

/** What is read of a document to ask it: where it is served, its operations, dummies for its credentials, its examples. */
export const readRoot = (path) => {
  const document = readWhole(path);
  return {
    ...{ basePath: basePathOf(document), operations: operationsOf(document), credentials: credentialsOf(document) },
    examples: examplesIn(document),
  };
};

/** The JSON that the document itself writes as examples, by method and path, then by status. */
const examplesIn = (document) => {
  const follow = (value) =>
    typeof value?.$ref === 'string' && value.$ref.startsWith('#/')
      ? follow(
          value.$ref
            .slice(2)
            .split('/')
            .reduce((holder, step) => holder?.[unescaped(step)], document),
        )
      : value;
  const ofMedia = ({ example, examples, schema }) => {
    const { example: ofSchema, examples: listed = [] } = follow(schema) ?? {};
    return [example, ...Object.values(examples ?? {}).map((each) => follow(each)?.value), ofSchema, ...listed].filter(
      (each) => each !== undefined,
    );
  };
  const ofResponse = (response) => Object.values(follow(response)?.content ?? {}).flatMap(ofMedia);
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) =>
      methods
        .filter((method) => method in item)
        .map((method) => [
          `${method.toUpperCase()} ${path}`,
          Object.fromEntries(
            Object.entries(item[method].responses ?? {}).map(([status, response]) => [status, ofResponse(response)]),
          ),
        ]),
    ),
  );
};

const unescaped = (step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');

/** Path items may stand in other files. */
const readWhole = (path) => {
  const document = parse(readFileSync(path, 'utf8'), { maxAliasCount: -1 });
  const followed = (members = {}) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => {
        const [file] = /^[^#]+$/.exec(member.$ref ?? '') ?? [];
        return [name, file === undefined ? member : parse(readFileSync(join(path, '..', file), 'utf8'))];
      }),
    );
  return { ...document, paths: followed(document.paths) };
};

const basePathOf = ({ servers: [server] = [] }) => {
  const { url = '/', variables = {} } = server ?? {};
  const whole = url.replaceAll(/\{([^{}]*)\}/g, (_, name) => String(variables[name]?.default ?? ''));
  return new URL(whole, 'http://localhost/').pathname.replace(/\/+$/, '');
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => ({ path, method, id: item[method].operationId })),
  );

/** Any value of the right form is taken. A header has one value, so that of Bearer goes before that of Basic. */
const credentialsOf = ({ components: { securitySchemes = {} } = {} }) => {
  const credentials = { headers: {}, query: {}, cookies: {} };
  const authorization = [];
  for (const { type, scheme, in: place, name } of Object.values(securitySchemes)) {
    if (type === 'apiKey') credentials[{ header: 'headers', query: 'query', cookie: 'cookies' }[place]][name] = 'dummy';
    else if (type === 'http' && scheme.toLowerCase() === 'basic') authorization.push('Basic ZHVtbXk6ZHVtbXk=');
    else if (type !== 'mutualTLS') authorization.unshift('Bearer dummy');
  }
  if (authorization.length > 0) credentials.headers['Authorization'] = authorization[0];
  return credentials;
};
