/** Makes nodes and media under the label of a run, and notes each in the journal. */
import { CheckFailure, CheckSkip, shown } from '../answer.ts';
import type { KnownEntity, Workspace } from '../check.ts';
import { entityOf } from '../discovery.ts';
import { firstMember } from '../record-members.ts';
import { madeBy } from './making-watch.ts';
import { minimalNode } from './node-body.ts';
import { createUploads } from './uploads.ts';
import type { MadeWorkspace, WorkspaceParts } from './workspace-parts.ts';

export const createWorkspace = (parts: WorkspaceParts): MadeWorkspace => {
  const { journal, roles, account, ask } = parts;
  const { label } = journal;
  let last = 0;
  const nextNumber = (): number => (last += 1);
  const nodeBody: Workspace['nodeBody'] = (fields = {}) => {
    const title = `${label} node ${nextNumber()}`;
    const { termIn } = parts;
    const container = parts.container();
    const body = { ...minimalNode({ roles, title, container, model: parts.terms.model, termIn }), ...fields };
    return labelled(body, label);
  };
  const node: Workspace['node'] = async (fields) => {
    const answer = await ask({ method: 'POST', path: '/node?_format=json', as: account, json: nodeBody(fields) });
    const made = madeBy('node', answer);
    const entity = made === undefined ? undefined : entityOf('node', made.id, answer);
    if (entity !== undefined) return entity;
    throw new CheckFailure(`No node could be made: POST /node answered ${answer.status} ${shown(answer.text)}.`);
  };
  const { media, fileOf, uses } = createUploads(parts, nextNumber);
  let spare: KnownEntity | undefined;
  const spareNode: Workspace['spareNode'] = async () => {
    spare = spare !== undefined && uses.isSpare(spare) ? spare : await node();
    return spare;
  };
  return { label, node, spareNode, useOf: uses.next, media, nodeBody, fileOf };
};

/** A title of a check gets the label before it, and stays short enough. */
const labelled = (body: Readonly<Record<string, unknown>>, label: string): Readonly<Record<string, unknown>> => {
  const title = firstMember(body, 'title');
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
