/** Sends the messages of a write, and answers those that ask for a derivative where nobody else does. */
import type { Awaitable } from '../../../basics/awaitable.ts';
import { Reading } from '../../model/reading.ts';
import type { StoredChange } from '../../model/reactions.ts';
import type { Site } from '../../site/site.ts';
import type { LaterReaction, SectionReactions, SiteTools, SiteWork } from '../reaction.ts';
import { readSection } from '../section.ts';
import type { DerivativeService } from '../services/derivative-service.ts';
import { answerMessage, derivativeIn } from '../services/answer-message.ts';
import { eventMessage, type EventMessage, messageText } from './event-message.ts';
import { firedActions } from './fired-actions.ts';
import { type DerivativeSettings, derivativesSection } from './settings.ts';
import { entityKey, keyOf } from '../../../openapi/openapi-records.ts';

/** An account without a record, such as a visitor without a name. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** The messages of a change, as the records are at this moment. */
const messagesOf = (
  { records: saves, principal }: StoredChange,
  settings: DerivativeSettings,
  tools: SiteTools,
): Awaitable<readonly EventMessage[]> => {
  const { site, store, baseUrl } = tools;
  const now = Math.floor(tools.now() / 1000);
  const hasHashes = site.living.fileHashes?.algorithms.includes('sha1') === true;
  return new Reading(store).settle((records) => {
    const actor = { uid: principal.uid, uuid: records.get(entityKey('user', principal.uid))?.uuid ?? nobody };
    const context = { site, records, baseUrl, now, target: settings.target };
    return firedActions(saves, { settings, site, records, hasHashes }).flatMap(
      (fired) => eventMessage(fired, actor, context) ?? [],
    );
  });
};

/** Sends one message where messages go. A broker that is away loses it, and nobody else notices. */
const sendMessage = async ({ queue, body }: EventMessage, { events, now }: SiteTools, token: string): Promise<void> => {
  const { log, send } = events;
  const event = { time: now(), queue, body };
  if (send === undefined) {
    log.add({ ...event, delivery: 'kept' });
    return;
  }
  try {
    await send({ queue, text: messageText(body), authorization: `Bearer ${token}` });
    log.add({ ...event, delivery: 'sent' });
  } catch (error) {
    log.add({ ...event, delivery: 'lost', message: error instanceof Error ? error.message : String(error) });
  }
};

/** The work of the built-in services. */
const derivativeWorks = (
  messages: readonly EventMessage[],
  services: DerivativeService,
  token: string,
): readonly SiteWork[] =>
  messages.flatMap(({ body }) => {
    const request = derivativeIn(body);
    if (request === undefined) return [];
    const [, node = '0'] = /\/node\/(\d+)\/media\//.exec(request.destination_uri) ?? [];
    return {
      name: `make ${request.file_upload_uri.slice(request.file_upload_uri.lastIndexOf('/') + 1)}`,
      about: `node:${node}`,
      run: async (tools) => {
        const placeholder = await answerMessage(request, { tools, services, authorization: `Bearer ${token}` });
        return placeholder === undefined ? {} : { note: `A placeholder: ${placeholder}` };
      },
    };
  });

/** What a write has stored stays stored, whatever becomes of its messages. */
const attempted = (make: () => Awaitable<readonly EventMessage[]>): Awaitable<readonly EventMessage[]> => {
  try {
    return make();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
};

const reaction =
  (settings: DerivativeSettings): LaterReaction =>
  (change, tools) => {
    const [first] = change.records;
    const changed = first?.after ?? first?.before;
    if (changed === undefined) return [];
    const found = attempted(() => messagesOf(change, settings, tools));
    if ('length' in found) {
      if (found.length === 0) return [];
    } else {
      // Nobody waits for them where a fault or the end of the world comes first.
      found.catch(() => undefined);
    }
    const run: SiteWork['run'] = async (used) => {
      const messages = await found;
      if (messages.length === 0) return {};
      const token = await used.issueToken(change.principal);
      for (const message of messages) await sendMessage(message, used, token);
      const { services } = used.events;
      return services === undefined ? {} : { further: derivativeWorks(messages, services, token) };
    };
    const onRefused: SiteWork['onRefused'] = async ({ events: { log }, now }, reason) => {
      for (const { queue, body } of await found)
        log.add({ time: now(), queue, body, delivery: 'lost', message: reason });
    };
    return [{ name: 'send messages', about: keyOf(changed), run, onRefused }];
  };

/** Undefined for a site that sends nothing. Throws `ConfigurationError` for a section that cannot be read. */
export const derivativeReactions = (site: Site): SectionReactions | undefined => {
  const settings = readSection(site, 'derivatives', derivativesSection);
  return settings === undefined || settings.contexts.length === 0 ? undefined : { later: reaction(settings) };
};
