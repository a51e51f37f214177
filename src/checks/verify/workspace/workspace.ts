/** Makes nodes and media under the label of a run. */
import { CheckFailure, CheckSkip, shown } from '../answer.ts';
import type { KnownEntity, Workspace } from '../check.ts';
import { entityOf } from '../discovery.ts';
import { fieldRoles } from '../field-roles.ts';
import { valueIn, type JsonRecord } from '../record-members.ts';
import { madeBy } from './making-watch.ts';
import { minimalNode } from './node-body.ts';
import { createUploads, type WorkspaceParts } from './uploads.ts';

/** With what only the preparation of a run uses. */
export type MadeWorkspace = ReturnType<typeof createWorkspace>;

export const createWorkspace = (parts: WorkspaceParts) => {
  const { journal, site, account, ask, terms } = parts;
  const { label } = journal;
  const roles = fieldRoles(site);
  let last = 0;
  const nodeBody: Workspace['nodeBody'] = (fields = {}) => {
    last += 1;
    const made = { title: `${label} node ${last}`, container: parts.container(), model: terms.model };
    return labelled({ ...minimalNode({ roles, ...made }), ...fields }, label);
  };
  const node: Workspace['node'] = async (fields) => {
    const answer = await ask({ method: 'POST', path: '/node?_format=json', as: account, json: nodeBody(fields) });
    const made = madeBy('node', answer);
    const entity = made === undefined ? undefined : entityOf('node', made.id, answer);
    if (entity !== undefined) return entity;
    throw new CheckFailure(`No node could be made: POST /node answered ${answer.status} ${shown(answer.text)}.`);
  };
  const { media, fileOf, uses } = createUploads(parts);
  let spare: KnownEntity | undefined;
  const spareNode: Workspace['spareNode'] = async () => {
    spare = spare !== undefined && uses.isSpare(spare) ? spare : await node();
    return spare;
  };
  return { label, node, spareNode, useOf: uses.next, media, nodeBody, fileOf };
};

/** A title of a check gets the label before it, and stays short enough. */
const labelled = (body: JsonRecord, label: string): JsonRecord => {
  const title = valueIn(body, 'title');
  if (typeof title !== 'string' || title === '' || title.startsWith(label)) return body;
  return { ...body, title: [{ value: `${label} ${title}` }] };
};

/** In a run that only reads. */
export const noWorkspace = (): Workspace => {
  const refuse = (): never => {
    throw new CheckSkip('It needs content of its own, which --allow-writes allows.');
  };
  const reject = (): Promise<never> => Promise.reject(new CheckSkip('It writes, which --allow-writes allows.'));
  return { label: '', node: reject, spareNode: reject, useOf: refuse, media: reject, nodeBody: refuse };
};
