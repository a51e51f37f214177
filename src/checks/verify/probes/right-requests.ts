/** Makes for each operation a request that a server must take from an account that may everything. */
import type { TargetContract } from '../../target/contract-source.ts';
import type { AskedRequest, CheckContext } from '../check.ts';
import {
  contentBundle,
  createBody,
  inJson,
  mainKinds,
  makeWritten,
  patchBody,
  type RecordKind,
} from '../checks/writing/record-kinds.ts';
import { readAddress } from '../checks/reading/addresses.ts';
import { orSkip } from '../checks/reading/reading-check.ts';
import { publishing } from '../workflow-states.ts';
import {
  emptyNode,
  makeUpload,
  nodeToUpload,
  sourceRequest,
  standardUpload,
  uploadRequest,
} from '../checks/uploads/uploading.ts';
import type { Thing } from './thing.ts';

type RightRequest = {
  readonly operation: string;
  readonly request: (context: CheckContext) => Promise<AskedRequest>;
  /** The key of what it uses up when it is taken. */
  readonly spends?: string | undefined;
};

const read = (id: string): readonly RightRequest[] =>
  (['GET', 'HEAD'] as const).map((method) => ({
    operation: method === 'GET' ? id : id.replace(/^(get|list)/, 'head'),
    request: async (context) => {
      const operation = context.judge.operations.find((one) => one.id === id);
      return { method, path: readAddress(context, orSkip(operation, `The document of this site has no ${id}.`)) };
    },
  }));

const write = (
  operation: string,
  method: string,
  spends: string | undefined,
  request: (context: CheckContext) => Promise<Omit<AskedRequest, 'method'>>,
): RightRequest => ({
  ...{ operation, spends },
  request: async (context) => ({ method, ...(await request(context)) }),
});

/** A node that visitors must not see: its read proves who asks. */
export const hiddenNode = (context: CheckContext): Promise<number> =>
  context.once('hidden node', async ({ subjects, workspace, contract }) => {
    return subjects.unpublished?.id ?? (await workspace.node(publishing(contentBundle(contract), false, 'new'))).id;
  });

const reads: readonly string[] = [
  ...['getFile', 'getNodeLinkset', 'getMediaLinkset', 'getUser', 'listNodeMedia', 'listNodeMembers', 'getToken'],
];

const removal = (
  operation: string,
  make: (context: CheckContext) => Promise<{ readonly path: string }>,
): RightRequest => {
  const spends = `provider ${operation}`;
  return write(operation, 'DELETE', spends, async (context) => ({
    path: inJson((await context.once(spends, make)).path),
  }));
};

const recordWrites = (kind: RecordKind): readonly RightRequest[] => [
  write(kind.operations.create, 'POST', undefined, async (context) => ({
    ...{ path: inJson(kind.collection), json: await createBody(context, kind) },
  })),
  write(kind.operations.update, 'PATCH', undefined, async (context) => {
    const { path } = await context.once(`provider patch ${kind.word}`, (own) => makeWritten(own, kind));
    const label = `${context.workspace.label} by another provider`;
    return { path: inJson(path), json: patchBody(kind, { [kind.labelField]: [{ value: label }] }) };
  }),
  removal(kind.operations.remove, (context) => makeWritten(context, kind)),
];

const fileWrites: readonly RightRequest[] = [
  removal('deleteFile', async (context) => ({
    path: `/entity/file/${(await makeUpload(context, { isOfAnyNode: true })).fileId}`,
  })),
  write('putNodeMedia', 'PUT', nodeToUpload, async (context) =>
    uploadRequest(context, { node: await emptyNode(context) }),
  ),
  write('putMediaSource', 'PUT', undefined, async (context) =>
    sourceRequest(await context.once('provider source', (own) => makeUpload(own, { isOfAnyNode: true }))),
  ),
  write('uploadFile', 'POST', undefined, (context) => Promise.resolve(standardUpload(context, crypto.randomUUID()))),
];

const all = (contract: TargetContract): readonly RightRequest[] => [
  ...[...mainKinds(contract).map(({ operations }) => operations.read), ...reads].flatMap(read),
  ...mainKinds(contract).flatMap(recordWrites),
  ...fileWrites,
];

/** The right request of an operation. Making it throws `CheckSkip` where the site has none. */
export const rightRequest = (operation: string): Thing => {
  const right = ({ contract }: CheckContext): RightRequest =>
    orSkip(
      all(contract).find((one) => one.operation === operation),
      `The site has nothing for ${operation}.`,
    );
  return { make: (context) => right(context).request(context), key: (context) => right(context).spends };
};
