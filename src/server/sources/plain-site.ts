/** What the server reads of a site where there is none: limits of uploads, and nothing else. */
import type { HostedSite } from '../../openapi/openapi-host.ts';

/** Nothing of it is read from a file, and no request sees it. */
export const plainSite: HostedSite = {
  ...{ name: 'Atoll', storages: [], roles: new Map(), accounts: [], iconDirectory: '' },
  maxUploadBytes: 1024 ** 3,
  maxJsonBytes: 10 * 1024 ** 2,
  uploads: { idleSeconds: 60, minBytesPerSecond: 0, maxConcurrent: 8, freeBytes: 64 * 1024 ** 2 },
};
