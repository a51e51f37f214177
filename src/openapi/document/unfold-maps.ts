/**
 * Puts `paths` and the responses of operations into a document that has references in their places. OpenAPI has none there, but tools that
 * divide documents into files write them.
 */
import { isRecord } from '../../basics/json.ts';
import { methods } from './operation.ts';
import { BrokenReference, type References } from '../schemas/references.ts';

type Holder = Record<string, unknown>;

/** Changes the document. A reference that leads nowhere stays. */
export const unfoldMaps = (document: Holder, { follow }: Pick<References, 'follow'>): void => {
  const target = (value: unknown): unknown => {
    try {
      return follow(value);
    } catch (error) {
      if (error instanceof BrokenReference) return undefined;
      throw error;
    }
  };
  const unfold = (holder: Holder, name: string): void => {
    const map = holder[name];
    if (!isRecord(map) || typeof map['$ref'] !== 'string') return;
    const whole = target(map);
    if (isRecord(whole)) holder[name] = whole;
  };
  unfold(document, 'paths');
  const { paths } = document;
  for (const written of Object.values(isRecord(paths) ? paths : {})) {
    const item = target(written);
    if (!isRecord(item)) continue;
    for (const method of methods) {
      const operation = target(item[method.toLowerCase()]);
      if (isRecord(operation)) unfold(operation, 'responses');
    }
  }
};
