/** Draws without chance, for a body that shall be the same each time. */
import type { FieldDefinition } from '../model/bundle.ts';
import type { Draw } from './field-type.ts';

/** Draws small numbers, the first of each choice, and this text. */
export const fixedDraw = (text: string): Draw => {
  const fitted = ({ maxLength = text.length }: FieldDefinition): string => text.slice(0, maxLength);
  return {
    ...{ name: fitted, sentences: fitted, site: { languages: ['en'], textFormats: [] }, now: Date.UTC(2026, 0) / 1000 },
    below: (limit) => Math.min(1, limit - 1),
    pick: ([first]) => first,
  };
};
