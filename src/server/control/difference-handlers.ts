/** Lists what differs between a world and what it was made from, and puts single records back. */
import { given } from '../../basics/json.ts';
import { placeName, type RecordDifference, recordDifferences } from '../../basics/records/record-form.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import { unprocessable } from '../../openapi/openapi-terms.ts';
import {
  createComparison,
  type RecordChange,
  type RecordDifferences,
  recordOf,
} from '../worlds/differences/compare-records.ts';
import { putBack } from '../worlds/differences/put-back.ts';
import type { Worlds } from '../worlds/worlds.ts';
import { type HostedSite, jsonReply } from '../../openapi/openapi-host.ts';
import { recordTypes } from '../../storage/storage-export.ts';
import type { ContentRules } from '../worlds/content-rules.ts';
import type { ControlHandlers } from './control-handlers.ts';
import type { components } from '../../client/generated/control.ts';
import { sourceBody } from './world-handlers.ts';

type Schemas = components['schemas'];

const pageSize = 50;

/** Other requests are answered while a large repository is compared. */
export const differenceHandlers = (
  worlds: Worlds,
  content: ContentRules,
): Pick<ControlHandlers, 'listDifferences' | 'putBack'> => {
  const compare = createComparison();
  return {
    listDifferences:
      async ({ query }, { name, site }) =>
      async () => {
        const { from, before, after } = await worlds.compare(name, query.from);
        const { counts, changes } = await compare(before, after);
        const wanted = changes.filter(
          (each) =>
            (query.type === undefined || recordOf(each).type === query.type) &&
            (query.change === undefined || each.change === query.change),
        );
        const page = pageOf(wanted, query.cursor);
        return jsonReply({
          from: sourceBody(from),
          ...counts,
          total: wanted.length,
          ...(page.next === undefined ? {} : { next: page.next }),
          entries: page.changes.map((each) => entryOf(each, site, content)),
        });
      },
    putBack:
      async (_request, world) =>
      async ({ json: { from: name, ...wanted } }) => {
        const { from, before, after, bytesBefore } = await worlds.compare(world.name, name);
        // Nobody has asked whether the caller may read that world.
        if (name !== undefined && from.kind === 'world') {
          throw unprocessable(`"${name}" is a world. Name a snapshot or a fixture, or leave "from" out.`);
        }
        const { changes } = await compare(before, after);
        await putBack(world, { changes, bytesBefore, rules: content.restoration }, wanted);
        return { status: 204 };
      },
  };
};

/** The changes after the cursor's record. It need not be among them any more. */
const pageOf = (
  changes: RecordDifferences['changes'],
  cursor: string | undefined,
): { readonly changes: readonly RecordChange[]; readonly next: string | undefined } => {
  const [type = '', id = ''] = cursor?.split(':') ?? [];
  const last = cursor === undefined ? undefined : { type, id: Number(id) };
  const start = last === undefined ? 0 : changes.findIndex((each) => isAfter(recordOf(each), last));
  const page = start < 0 ? [] : changes.slice(start, start + pageSize);
  const end = page.at(-1);
  const hasMore = end !== undefined && start + page.length < changes.length;
  return { changes: page, next: hasMore ? positionOf(recordOf(end)) : undefined };
};

const positionOf = ({ type, id }: Entity): string => `${type}:${id}`;

const isAfter = (entity: Entity, last: { readonly type: string; readonly id: number }): boolean => {
  const order = recordTypes.indexOf(entity.type) - recordTypes.findIndex((type) => type === last.type);
  return order > 0 || (order === 0 && entity.id > last.id);
};

const entryOf = (change: RecordChange, site: HostedSite, content: ContentRules) => {
  const entity = recordOf(change);
  const { type, id, bundle } = entity;
  return {
    type: type as Schemas['Difference']['type'], // the records are those of a repository
    ...{ id, bundle, title: content.labelOf(entity), change: change.change },
    ...(change.change === 'changed'
      ? {
          fields: recordDifferences(change.before, change.after).map((each) =>
            fieldBody(each, content.fieldLabelOf(entity, each.place.at(-1) ?? '', site)),
          ),
        }
      : {}),
  };
};

const fieldBody = ({ place, before, after, isSecret: secret }: RecordDifference, label: string | undefined) =>
  given({ name: placeName(place), label, before, after, secret });
