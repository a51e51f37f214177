/** `entities`: lists the records of a world, and reads one as an account. */
import type { EntityQuery } from '../../exchange/exchange-worlds.ts';
import { ownRequestHeader, shownJson } from '../../exchange/exchange.ts';
import { anonymousName } from '../session/accounts.ts';
import { choice, flag, json, list, optional, structure, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { inBrief, messageIn } from '../sandbox/answer-text.ts';
import { sendRequest, accountName, worldName } from '../sandbox/sandbox-request.ts';
import type { Call } from '../session/session.ts';
import type { Json } from '../../basics/json.ts';

const types = ['node', 'media', 'file', 'taxonomy_term', 'user', 'path_alias', 'redirect'] as const;

/** As many statuses of an account are asked for at once. */
const pageSize = 20;

const input = structure({
  world: optional(worldName),
  account: optional(accountName),
  type: choice(types, 'The entity type.'),
  id: optional(whole('Reads this record. Without it, records are listed.', { minimum: 0 })),
  text: optional(text('Only records with this in their title.', { maxLength: 200 })),
  bundle: optional(text('Only of this bundle, such as image or islandora_models.', { maxLength: 200 })),
  of: optional(whole('Of media: those of this node. Of nodes: the members of this node.', { minimum: 1 })),
  cursor: optional(text('The "next" of the answer before, for the next page of a list.', { maxLength: 4000 })),
});

export const entities = defineTool({
  name: 'entities',
  title: 'List or read records',
  description:
    'Lists the records of a world (id, title, bundle), also unpublished ones, or with "id" reads one as JSON. With "account" a list has the status that the account gets for each record.',
  hints: { readOnly: true },
  input,
  output: structure({
    world: text('The world.'),
    account: text('The account.'),
    total: optional(whole('How many records the list has on all pages.')),
    next: optional(text('The cursor of the next page of the list.')),
    path: optional(text('Where the record is, for try_request and follow_link.')),
    notice,
    data: list(
      structure({
        id: optional(whole('Of a record: its id.')),
        bundle: optional(text('Its bundle.')),
        title: optional(text('Its title.')),
        model: optional(text('Of a node its model, of a media its use.')),
        mime: optional(text('The type of its bytes.')),
        published: optional(flag('Whether it is published.')),
        path: optional(text('Where it is.')),
        status: optional(whole('What the account gets there.')),
        field: optional(text('Of one record: the name of a field.')),
        items: optional(
          list(json(['object', 'array', 'string', 'number', 'boolean'], 'An item.'), 'The items of the field.'),
        ),
      }),
      'The records of the list, or the fields of the one record.',
    ),
  }),
  long: 'data',
  run: async (given, call) => (given.id === undefined ? listed(given, call) : read(given, call, given.id)),
});

type Given = NonNullable<typeof input.sample>;

const listed = async ({ world: name, account, type, text: words, bundle, of, cursor }: Given, call: Call) => {
  const world = await call.world(name);
  const ofNode: EntityQuery =
    of === undefined ? {} : type === 'media' ? { media_of: String(of) } : { collection: String(of) };
  const page = await world.entities({
    ...{ type, limit: String(pageSize), ...ofNode, text: words, bundle, cursor },
  });
  const data = [];
  for (const { id, bundle: kind, title, model, published, url, mime } of page.entities) {
    const path = url.slice(world.url.length);
    const status = account === undefined ? undefined : await statusOf(call, { world, account, path });
    data.push({ id, bundle: kind, title, model, mime, published, path, status });
  }
  return {
    ...{ world: world.name, account: account ?? anonymousName, total: page.total },
    ...{ next: page.next, notice: dataNotice('data'), data },
  };
};

type Asked = { readonly world: Awaited<ReturnType<Call['world']>>; readonly account: string; readonly path: string };

const ask = (call: Call, { world, account, path }: Asked, method: 'GET' | 'HEAD') =>
  sendRequest(
    call,
    world,
    { method, path, account },
    { sessions: call.sessions, marks: { [ownRequestHeader]: 'mcp' } },
  );

const statusOf = async (call: Call, asked: Asked): Promise<number> => (await ask(call, asked, 'HEAD')).status;

const read = async ({ world: name, account = anonymousName, type }: Given, call: Call, id: number) => {
  const world = await call.world(name);
  const { entities: found } = await world.entities({ type, ids: String(id) });
  const [summary] = found;
  if (summary === undefined)
    throw new ToolRefusal(`There is no ${type} ${id}.`, 'Call entities without "id" to list what there is.');
  const path = summary.url.slice(world.url.length);
  const answer = await ask(call, { world, account, path }, 'GET');
  if (answer.status !== 200) {
    throw new ToolRefusal(
      `${account} gets ${answer.status}: ${inBrief(messageIn(answer) ?? '')}`,
      'Name another account, or call try_request with this path to learn who may.',
    );
  }
  const record = shownJson(JSON.parse(answer.bytes.toString()) as Json); // the contract: a record
  return {
    ...{ world: world.name, account, path, notice: dataNotice('data') },
    data: Object.entries(record ?? {}).map(([field, items]) => ({
      field,
      items: Array.isArray(items) ? (items as unknown[]) : [items],
    })),
  };
};
