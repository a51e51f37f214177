/** The starter site for tests: empty, with its own address for each media, as the recorded site had. */
import { join } from 'node:path';
import type { Role, Site } from '../../src/repository/repository.ts';
import type { EventSettings } from '../../src/repository/repository-content.ts';
import { loadSite } from '../support/site-sources.ts';
import { createSiteRequests } from '../../src/application/application.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';

const loaded = await loadSite(join(root, 'data/sites/starter-site'));

const withPermissions = ({ permissions, ...role }: Role): Role => ({
  ...role,
  permissions: [...permissions, 'create islandora_object content'],
});

/** The editor of the recorded site may create objects. */
const starterSite: Site = {
  ...loaded,
  standaloneMedia: true,
  roles: new Map([...loaded.roles].map(([id, role]) => [id, id === 'content_editor' ? withPermissions(role) : role])),
};

/** Without `events` messages are only kept: nobody answers them. */
export const starterSiteAtoll = (
  events: EventSettings = { send: undefined, services: undefined },
  mostWaiting?: number,
): Promise<TestAtoll> =>
  createTestAtoll({
    fixture: 'empty',
    site: () => starterSite,
    siteRequests: createSiteRequests(0, events, mostWaiting),
  });
