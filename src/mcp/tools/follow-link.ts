/** `follow_link`: the links of an entity, and what one of them leads to. */
import { type Link, readLinkset } from '../../client/client.ts';
import { readLinkLine } from '../../exchange/exchange-target.ts';
import { shownAddress } from '../../exchange/exchange.ts';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import type { WorldCommands } from '../../exchange/exchange-worlds.ts';
import { anonymousName } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { list, optional, structure, table, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { headersOf, inBrief, messageIn, textOf } from '../sandbox/answer-text.ts';
import { sendRequest, type SandboxAnswer, accountName, worldName } from '../sandbox/sandbox-request.ts';

const input = structure({
  world: optional(worldName),
  account: optional(accountName),
  path: text('The path of an entity: /node/5?_format=json.', { pattern: '^/', maxLength: 4000 }),
  rel: optional(
    text('The relation to follow, such as related, describes, edit-media. Without it nothing is followed.', {
      maxLength: 200,
    }),
  ),
  title: optional(
    text('Only links with this in their title, such as the use of a media: Thumbnail Image.', { maxLength: 200 }),
  ),
});

export const followLink = defineTool({
  name: 'follow_link',
  title: 'Follow a link',
  description: 'Lists the links of an entity, and with "rel" follows the first that fits, as the account.',
  hints: { readOnly: true },
  input,
  output: structure({
    world: text('The world.'),
    account: text('The account.'),
    status: whole('The status of the entity itself.'),
    target: optional(
      structure(
        {
          path: text('Where the link leads, within the world. Go on from here with follow_link or try_request.'),
          status: whole('The status there.'),
          type: optional(text('The media type.')),
          bytes: whole('The length of the body.'),
          headers: table(text('The value.'), 'Its headers.'),
          body: optional(text('The beginning of its body.')),
        },
        'What the followed link leads to.',
      ),
    ),
    notice,
    data: list(
      structure({
        rel: text('The relation.'),
        title: optional(text('The title.')),
        type: optional(text('The media type.')),
        path: optional(text('Where it leads, within the world.')),
        url: optional(text('Where it leads, when that is outside of the world.')),
      }),
      'The links that fit.',
    ),
  }),
  long: 'data',
  run: async ({ world: name, account = anonymousName, path, rel, title }, call) => {
    const world = await call.world(name);
    const as = { call, world, account };
    const answer = await get(as, path);
    if (answer.status >= 400) throw refused(account, path, answer);
    const wanted = (await linksOf(as, answer)).filter(
      (link) =>
        (rel === undefined || link.rel === rel) &&
        (title === undefined || link.title?.toLowerCase().includes(title.toLowerCase()) === true),
    );
    const [first] = wanted;
    if (rel !== undefined && first === undefined) {
      throw new ToolRefusal(
        `${path} has no such link for ${account}.`,
        'Call follow_link without "rel" and "title" to see its links.',
      );
    }
    const followed = rel === undefined || first === undefined ? undefined : await follow(as, first);
    return {
      ...{ world: world.name, account, status: answer.status, notice: dataNotice('target', 'data') },
      target: followed,
      data: wanted.map((link) => shownLink(link, world)),
    };
  },
});

type As = { readonly call: Call; readonly world: WorldCommands; readonly account: string };

const get = ({ call, world, account }: As, path: string): Promise<SandboxAnswer> =>
  sendRequest(call, world, { method: 'GET', path, account }, { sessions: call.sessions, marks: {} });

const refused = (account: string, path: string, answer: SandboxAnswer): ToolRefusal =>
  new ToolRefusal(
    `${path} answers ${answer.status} to ${account}: ${inBrief(messageIn(answer) ?? '')}`,
    'Call try_request with this path: it says what to correct, or who may.',
  );

/** A header that names a linkset may be cut. */
const linksOf = async (as: As, answer: SandboxAnswer): Promise<readonly (TypedLink | Link)[]> => {
  const links = readLinkLine(answer.headers.get('link') ?? '').links;
  const linkset = links.find(({ rel }) => rel === 'linkset');
  const path = linkset === undefined ? undefined : pathIn(as.world, linkset.target);
  if (path === undefined) return links;
  const { status, bytes } = await get(as, path);
  if (status !== 200) return links;
  return readLinkset(JSON.parse(bytes.toString()));
};

/** Undefined for what is not of the world. */
const pathIn = ({ url }: WorldCommands, target: string): string | undefined =>
  target.startsWith(`${url}/`) ? target.slice(url.length) : undefined;

const isEntity = /^\/((node|media|taxonomy\/term|entity\/file|user)\/\d+|media\/\d+\/edit)$/;

/** A record answers JSON only when it is asked for. */
const readable = (path: string): string => (isEntity.test(path) ? `${path}?_format=json` : path);

const follow = async (as: As, { target }: Pick<Link, 'target'>) => {
  const path = pathIn(as.world, target);
  if (path === undefined) {
    throw new ToolRefusal(
      `The link leads to ${shownAddress(target)}, which is not in this world.`,
      'Choose another link; without "rel" all are listed.',
    );
  }
  const asked = readable(path);
  const answer = await get(as, asked);
  const body = textOf(answer, undefined);
  const type = answer.headers.get('content-type') ?? undefined;
  return {
    ...{ path: asked, status: answer.status, bytes: answer.bytes.length, headers: headersOf(answer) },
    type,
    body: body && inBrief(body, 2000),
  };
};

const shownLink = ({ rel, target, title, type }: TypedLink | Link, world: WorldCommands) => {
  const path = pathIn(world, target);
  return {
    rel,
    title,
    type,
    ...(path === undefined ? { url: shownAddress(target) } : { path: readable(path) }),
  };
};
