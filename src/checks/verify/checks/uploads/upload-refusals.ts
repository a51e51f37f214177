/** Checks of uploads that are refused: headers, addresses, bodies. After each there is no media. */
import type { Bundle } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import type { HeaderLine } from '../../../../exchange/wire-exchange.ts';
import { type Answer, expectRefusal, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { fileBundles, inJson } from '../writing/record-kinds.ts';
import {
  emptyNode,
  extensionOf,
  extensionsOf,
  freshLocation,
  mediaTypeOf,
  nodeToUpload,
  uploadRequest,
  sampleBytes,
  schemeOf,
  uploadBundle,
  uploadPath,
  useTerm,
  type UploadRequest,
} from './uploading.ts';
import { askRefused, changesNothing, keyOf, type Guard } from '../writing/guarded.ts';
import { sources, writing } from '../writing/writing-check.ts';

type Fault = Pick<Check, 'name' | 'severity'> & {
  readonly words: string;
  readonly status: number;
  /** What the message must contain. */
  readonly says?: string;
  readonly source?: string;
  readonly sent: (right: UploadRequest, context: CheckContext, bundle: Bundle) => UploadRequest;
};

const header =
  (name: string) =>
  ([own]: HeaderLine): boolean =>
    own.toLowerCase() === name;
const withHeader = (request: UploadRequest, name: string, value: string | undefined): UploadRequest => ({
  ...request,
  headers: [
    ...request.headers.filter((line) => !header(name.toLowerCase())(line)),
    ...(value === undefined ? [] : [[name, value] as const]),
  ],
});

/** A real site of the contract's time refuses them; some versions take them. */
const ofLocations = `${sources.upload}; docs/use/differences.md: \`Content-Location\` that is missing`;

const location = (
  name: string,
  words: string,
  says: string,
  value: (context: CheckContext, bundle: Bundle) => string,
): Fault => ({
  ...{ name: `location.${name}`, severity: 'contract', words: `with a Content-Location ${words}`, status: 400, says },
  source: ofLocations,
  sent: (right, context, bundle) => withHeader(right, 'Content-Location', value(context, bundle)),
});

const notAnAddress = 'Content-Location must be a valid stream wrapper URI';
const noName = 'Content-Location must include a filename';
const upwards = 'Content-Location must not contain path traversal segments';
const fileName = (bundle: Bundle): string => `verify.${extensionOf(bundle)}`;

const faults: readonly Fault[] = [
  {
    ...{ name: 'no-content-type', severity: 'contract', words: 'without a Content-Type', status: 400 },
    ...{ says: 'Missing Content-Type header', sent: (right) => withHeader(right, 'Content-Type', undefined) },
  },
  {
    ...{ name: 'no-location', severity: 'contract', words: 'without a Content-Location', status: 400 },
    ...{ says: '', source: ofLocations, sent: (right) => withHeader(right, 'Content-Location', undefined) },
  },
  location('empty', 'that is empty', '', () => ''),
  location('relative', 'without a scheme', notAnAddress, (_context, bundle) => `a/${fileName(bundle)}`),
  location(
    'unknown-scheme',
    'of a scheme that the site does not have',
    notAnAddress,
    (_context, bundle) => `nowhere://a/${fileName(bundle)}`,
  ),
  location(
    'web-address',
    'that is an address of the web',
    notAnAddress,
    (_context, bundle) => `http://example.org/${fileName(bundle)}`,
  ),
  location('no-path', 'without a path', noName, (context) => `${schemeOf(context)}://`),
  location('folder', 'that ends with a slash', noName, (context) => `${schemeOf(context)}://a/`),
  location(
    'upwards',
    'that leads upwards',
    upwards,
    (context, bundle) => `${schemeOf(context)}://../${fileName(bundle)}`,
  ),
  location(
    'upwards-inside',
    'with a part that leads upwards',
    upwards,
    (context, bundle) => `${schemeOf(context)}://a/../../${fileName(bundle)}`,
  ),
  location(
    'upwards-encoded',
    'that leads upwards in percent signs',
    upwards,
    (context, bundle) => `${schemeOf(context)}://a/%2e%2e/${fileName(bundle)}`,
  ),
  location('other-extension', 'whose extension the media type does not take', 'Invalid file extension.', (context) =>
    freshLocation(context, 'verifynone'),
  ),
  location(
    'no-extension',
    'without an extension',
    'Invalid file extension.',
    (context) => `${schemeOf(context)}://a/verify`,
  ),
  location('script', 'whose extension is that of a program', 'Invalid file extension.', (context) =>
    freshLocation(context, 'php'),
  ),
  {
    ...{ name: 'empty', severity: 'contract', words: 'with an empty body', status: 400, says: '' },
    ...{ source: sources.recorded, sent: (right) => ({ ...right, body: '' }) },
  },
  {
    ...{
      name: 'absent-node',
      severity: 'contract',
      words: 'to a node that does not exist',
      status: 404,
      says: '"node" parameter',
    },
    ...{ source: sources.errors, sent: (right, { subjects }) => ({ ...right, node: subjects.absentId }) },
  },
  {
    ...{
      name: 'absent-term',
      severity: 'contract',
      words: 'with a term that does not exist',
      status: 404,
      says: '"taxonomy_term" parameter',
    },
    ...{ source: sources.errors, sent: (right, { subjects }) => ({ ...right, use: subjects.absentId }) },
  },
  {
    ...{
      name: 'absent-media-type',
      severity: 'contract',
      words: 'to a media type that does not exist',
      status: 404,
      says: '"media_type" parameter',
    },
    ...{ source: sources.errors, sent: (right) => ({ ...right, bundle: 'verify_none' }) },
  },
];

const right = async (context: CheckContext, bundle: Bundle): Promise<UploadRequest> => ({
  ...{ node: await emptyNode(context), bundle: bundle.id, use: useTerm(context), as: context.maker() },
  headers: [
    ['Content-Type', mediaTypeOf(extensionOf(bundle))],
    ['Content-Location', freshLocation(context, extensionOf(bundle))],
  ],
  body: sampleBytes(bundle),
});

/** No refused upload gives the node a media. */
const guard: Guard = {
  ...{
    name: 'refused uploads',
    what: 'the node, which has no link to a media,',
    operations: ['putNodeMedia', 'getNode'],
  },
  find: async (context) => ({ path: `/node/${await emptyNode(context)}` }),
  look: async (context, path) => {
    const { links } = await context.ask({ path: inJson(path), as: context.maker() });
    const isMedia = ({ rel, target }: (typeof links)[number]): boolean =>
      rel === 'related' && target.startsWith(`${context.baseUrl}/media/`);
    return { media: links.filter(isMedia).map(({ target }) => target) };
  },
};

/** An upload that must be refused. */
const putRefused = async (context: CheckContext, request: UploadRequest): Promise<Answer> => {
  const answer = await askRefused(context, guard, () => uploadRequest(request));
  // What was taken was not refused, so a change by it is not one of refused requests. The node has a media now.
  if (answer.status < 300) [nodeToUpload, keyOf(guard)].forEach(context.again);
  return answer;
};

/** A media type without a list of extensions takes every name. */
const isAbout = ({ name }: Fault, bundle: Bundle): boolean =>
  !/extension|script/.test(name) || bundle.fields.get(bundle.source?.field ?? '')?.extensions !== undefined;

const checkOf = (bundle: Bundle, fault: Fault): Check =>
  writing({
    name: `upload-refused.${bundle.id}.${fault.name}`,
    rule: `${bundle.label}: An upload ${fault.words} is refused with ${fault.status}.`,
    ...{ source: fault.source ?? sources.upload, severity: fault.severity, operations: ['putNodeMedia'] },
    run: async (context) => {
      const wanted = await right(context, bundle);
      const message = expectRefusal(await putRefused(context, fault.sent(wanted, context, bundle)), fault.status);
      const { says = '' } = fault;
      expectThat(message.includes(says), `The message is ${shown(message)}, without ${shown(says)}.`);
    },
  });

/** An extension that one media type takes and this one does not. */
const otherExtension = (contract: TargetContract, bundle: Bundle): string | undefined =>
  fileBundles(contract)
    .flatMap(extensionsOf)
    .find((extension) => !extensionsOf(bundle).includes(extension));

const extensionCheck = (contract: TargetContract, bundle: Bundle): readonly Check[] => {
  const other = otherExtension(contract, bundle);
  if (other === undefined) return [];
  return [
    writing({
      ...contractRule(`upload-refused.${bundle.id}.extension-of-another-type`, sources.upload),
      rule: `${bundle.label}: A file .${other} is not one of this media type, so its upload is refused with 400 and the list of extensions.`,
      operations: ['putNodeMedia'],
      run: async (context) => {
        const request = withHeader(await right(context, bundle), 'Content-Location', freshLocation(context, other));
        const message = expectRefusal(await putRefused(context, request), 400);
        const list = extensionsOf(bundle).join(' ');
        expectThat(message.includes(list), `The message is ${shown(message)}, without ${shown(list)}.`);
      },
    }),
  ];
};

const methodCheck = (method: string): Check =>
  writing({
    ...contractRule(`upload-refused.method.${method.toLowerCase()}`, 'contract: Endpoints, rule 1'),
    rule: `The upload endpoint accepts only PUT, so ${method} answers 405 with Allow: PUT.`,
    operations: ['putNodeMedia'],
    run: async (context) => {
      const wanted = await right(context, uploadBundle(context));
      const body = method === 'GET' || method === 'DELETE' ? {} : { headers: wanted.headers, body: wanted.body };
      const path = inJson(uploadPath(wanted));
      const answer = await askRefused(context, guard, () => ({ method, path, as: context.maker(), ...body }));
      expectStatus(answer, 405);
      const allow = answer.header('allow');
      expectThat(allow === 'PUT', `Allow is ${shown(allow)}.`);
    },
  });

export const uploadRefusalChecks = (contract: TargetContract): readonly Check[] => [
  ...fileBundles(contract).flatMap((bundle, index) => [
    // Most faults of the location have nothing to do with the media type, so the first one stands for all.
    ...faults
      .filter((fault) => index === 0 || /extension|^no-|^empty$/.test(fault.name))
      .flatMap((fault) => (isAbout(fault, bundle) ? [checkOf(bundle, fault)] : [])),
    ...extensionCheck(contract, bundle),
  ]),
  ...['GET', 'POST', 'PATCH', 'DELETE'].map(methodCheck),
  changesNothing('upload-refused', guard),
];
