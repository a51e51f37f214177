/** Makes the addresses that the bytes of files are served at. */
import { mountOf, type Site } from './site.ts';
import { encodeSegment } from '../model/uri.ts';
import { firstValue, type Entity } from '../../openapi/openapi-records.ts';

/**
 * The path of stored content, without base URL and world prefix: `public://2019-03/1-Service File.jpg` is at
 * `/sites/default/files/2019-03/1-Service%20File.jpg`. Undefined when the site has no such scheme.
 * Recorded: test/contract/recordings/docs-file-get-3.json.
 */
export const contentPath = (site: Pick<Site, 'storages'>, uri: string): string | undefined => {
  const [, scheme, path] = /^([^:]*):\/\/(.*)$/s.exec(uri) ?? [];
  if (scheme === undefined || path === undefined) return undefined;
  const mount = mountOf(site, scheme);
  return mount && `${mount.prefix}/${path.split('/').map(encodeSegment).join('/')}`;
};

/** The absolute address of a file's content. Undefined when the site has no storage for the file's scheme. */
export const contentUrl = (site: Site, baseUrl: string, file: Entity): string | undefined => {
  const uri = firstValue(file, 'uri');
  const path = typeof uri === 'string' ? contentPath(site, uri) : undefined;
  return path === undefined ? undefined : baseUrl + path;
};
