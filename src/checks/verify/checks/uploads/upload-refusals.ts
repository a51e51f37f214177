/** Checks of uploads that are refused: headers, addresses, bodies. After each there is no media. */
import type { Bundle } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, expectRefusalThatSays, expectSame, expectStatus } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import { asMaker, fileBundles, inJson } from '../writing/record-kinds.ts';
import {
  emptyNode,
  freshLocation,
  nodeToUpload,
  schemeOf,
  uploadBundle,
  uploadPath,
  uploadRequest,
  useTerm,
} from './uploading.ts';
import { extensionOf, extensionsOf } from '../../sample-file.ts';
import { askRefused, changesNothing, keyOf, type Guard } from '../writing/guarded.ts';
import { contractRule, checksThatWrite, sources, type Rule } from '../../rule.ts';

/** Other parts in place of those of a right upload. Undefined: a header is left out. */
type Sent = Pick<AskedRequest, 'path' | 'body'> & {
  readonly 'Content-Type': string;
  readonly 'Content-Location': string;
};

type Fault = readonly [
  name: string,
  words: string,
  status: number,
  /** What the message must contain. */
  says: string,
  source: string,
  sent: (context: CheckContext, bundle: Bundle, node: number) => { readonly [K in keyof Sent]?: Sent[K] | undefined },
];

/** A real site of the contract's time refuses them; some versions take them. */
const ofLocations = `${sources.upload}; docs/use/differences.md: \`Content-Location\` that is missing`;

/** `$` stands for a scheme of the site, `*` for a name that the media type takes. */
const location = (name: string, words: string, says: string, text: string): Fault => [
  ...([`location.${name}`, `with a Content-Location ${words}`, 400, says, ofLocations] as const),
  (context, bundle) => ({
    'Content-Location': text.replace('$', schemeOf(context)).replace('*', `verify.${extensionOf(bundle)}`),
  }),
];

type Path = (context: CheckContext, bundle: Bundle, node: number) => string;

const absent = (name: string, words: string, parameter: string, path: Path): Fault => [
  ...([`absent-${name}`, `${words} that does not exist`, 404, `"${parameter}" parameter`, sources.errors] as const),
  (...at) => ({ path: inJson(path(...at)) }),
];

const fresh = (name: string, words: string, extension: string): Fault => [
  ...([`location.${name}`, `with a Content-Location ${words}`, 400, extensionFault, ofLocations] as const),
  (context) => ({ 'Content-Location': freshLocation(context, extension) }),
];

const extensionFault = 'Invalid file extension.';
const notAnAddress = 'Content-Location must be a valid stream wrapper URI';
const noName = 'Content-Location must include a filename';
const upwards = 'Content-Location must not contain path traversal segments';

const faults: readonly Fault[] = [
  [
    'no-content-type',
    'without a Content-Type',
    400,
    'Missing Content-Type header',
    sources.upload,
    () => ({ 'Content-Type': undefined }),
  ],
  ['no-location', 'without a Content-Location', 400, '', ofLocations, () => ({ 'Content-Location': undefined })],
  location('empty', 'that is empty', '', ''),
  location('relative', 'without a scheme', notAnAddress, 'a/*'),
  location('unknown-scheme', 'of a scheme that the site does not have', notAnAddress, 'nowhere://a/*'),
  location('web-address', 'that is an address of the web', notAnAddress, 'http://example.org/*'),
  location('no-path', 'without a path', noName, '$://'),
  location('folder', 'that ends with a slash', noName, '$://a/'),
  location('upwards', 'that leads upwards', upwards, '$://../*'),
  location('upwards-inside', 'with a part that leads upwards', upwards, '$://a/../../*'),
  location('upwards-encoded', 'that leads upwards in percent signs', upwards, '$://a/%2e%2e/*'),
  fresh('other-extension', 'whose extension the media type does not take', 'verifynone'),
  location('no-extension', 'without an extension', extensionFault, '$://a/verify'),
  fresh('script', 'whose extension is that of a program', 'php'),
  ['empty', 'with an empty body', 400, '', sources.recorded, () => ({ body: '' })],
  absent('node', 'to a node', 'node', (context, { id }) => uploadPath(context.subjects.absentId, id, useTerm(context))),
  absent('term', 'with a term', 'taxonomy_term', ({ subjects }, { id }, node) =>
    uploadPath(node, id, subjects.absentId),
  ),
  absent('media-type', 'to a media type', 'media_type', (context, _bundle, node) =>
    uploadPath(node, 'verify_none', useTerm(context)),
  ),
];

/** No refused upload gives the node a media. */
const guard: Guard = {
  name: 'refused uploads',
  what: 'the node, which has no link to a media,',
  operations: ['putNodeMedia', 'getNode'],
  find: async (context) => ({ path: `/node/${await emptyNode(context)}` }),
  look: async (context, path) => {
    const { links } = await asMaker(context, 'GET', path);
    const isMedia = ({ rel, target }: (typeof links)[number]): boolean =>
      rel === 'related' && target.startsWith(`${context.baseUrl}/media/`);
    return { media: links.filter(isMedia).map(({ target }) => target) };
  },
};

/** A right upload, but for some other parts. */
const putRefused = async (context: CheckContext, bundle: Bundle, sent: Fault[5]): Promise<Answer> => {
  const node = await emptyNode(context);
  const right = uploadRequest(context, { node, bundle });
  const other = sent(context, bundle, node);
  const { path = right.path, body = right.body } = other;
  const headers = (right.headers ?? []).flatMap(([name, usual]) => {
    const value = name in other ? other[name as keyof Sent] : usual; // of these headers
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const answer = await askRefused(context, guard, () => ({ ...right, path, body, headers }));
  // What was taken was not refused, so a change by it is not one of refused requests. The node has a media now.
  if (answer.status < 300) [nodeToUpload, keyOf(guard)].forEach(context.again);
  return answer;
};

/** A media type without a list of extensions takes every name. */
const isAbout = ([name]: Fault, bundle: Bundle): boolean =>
  !/extension|script/.test(name) || bundle.fields.get(bundle.source?.field ?? '')?.extensions !== undefined;

const ruleOf = (bundle: Bundle, [name, words, status, says, source, sent]: Fault): Rule =>
  contractRule(`${bundle.id}.${name}`, source)(
    `${bundle.label}: An upload ${words} is refused with ${status}.`,
    async (context) => expectRefusalThatSays(await putRefused(context, bundle, sent), status, says),
  );

/** An extension that one media type takes and this one does not. */
const otherExtension = (contract: TargetContract, bundle: Bundle): readonly Rule[] => {
  const all = fileBundles(contract).flatMap(extensionsOf);
  const other = all.find((extension) => !extensionsOf(bundle).includes(extension));
  if (other === undefined) return [];
  const words = 'is not one of this media type, so its upload is refused with 400 and the list of extensions.';
  return [
    contractRule(`${bundle.id}.extension-of-another-type`, sources.upload)(
      `${bundle.label}: A file .${other} ${words}`,
      async (context) => {
        const sent = () => ({ 'Content-Location': freshLocation(context, other) });
        expectRefusalThatSays(await putRefused(context, bundle, sent), 400, extensionsOf(bundle).join(' '));
      },
    ),
  ];
};

const otherMethod = (method: string): Rule =>
  contractRule(`method.${method.toLowerCase()}`, 'contract: Endpoints, rule 1')(
    `The upload endpoint accepts only PUT, so ${method} answers 405 with Allow: PUT.`,
    async (context) => {
      const right = uploadRequest(context, { node: await emptyNode(context), bundle: uploadBundle(context) });
      const body = method === 'GET' || method === 'DELETE' ? { body: undefined, headers: [] } : {};
      const { headers = [], ...asked } = { ...right, method, ...body };
      const answer = expectStatus(await askRefused(context, guard, () => ({ ...asked, headers })), 405);
      expectSame(answer.header('allow'), 'PUT', 'Allow');
    },
  );

export const uploadRefusalChecks = (contract: TargetContract): readonly Check[] =>
  checksThatWrite(
    [
      ...fileBundles(contract).flatMap((bundle, index) => [
        // Most faults of the location have nothing to do with the media type, so the first one stands for all.
        ...faults
          .filter(([name]) => index === 0 || /extension|^no-|^empty$/.test(name))
          .flatMap((fault) => (isAbout(fault, bundle) ? [ruleOf(bundle, fault)] : [])),
        ...otherExtension(contract, bundle),
      ]),
      ...['GET', 'POST', 'PATCH', 'DELETE'].map(otherMethod),
      changesNothing('changes-nothing', guard),
    ],
    { topic: 'upload-refused', operations: ['putNodeMedia'] },
  );
