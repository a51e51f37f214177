/** Checks the uri of a stored file: a scheme of the site, and a path that leads nowhere else. */
import { firstValue, keyOf, textOf, type Entity } from '../model/entity.ts';
import { Problem } from '../problem.ts';
import { readContentLocation } from './uploads/content-location.ts';

/** What is wrong with the uri, in one line. Undefined when an upload could have made it. */
export const uriViolation = (file: Entity, schemes: readonly string[]): string | undefined => {
  const uri = textOf(firstValue(file, 'uri'));
  const [, scheme] = /^([a-z][a-z0-9_+.-]*):\/\//.exec(uri) ?? [];
  if (scheme !== undefined && !schemes.includes(scheme)) {
    return `${keyOf(file)}: uri: the site has no storage "${scheme}", only ${schemes.join(', ')}. Add it to its site.yml.`;
  }
  try {
    readContentLocation(Buffer.from(uri).toString('latin1'), schemes);
    return undefined;
  } catch (error) {
    if (error instanceof Problem)
      return `${keyOf(file)}: uri: ${JSON.stringify(uri.slice(0, 200))} is no place for a file.`;
    throw error;
  }
};
