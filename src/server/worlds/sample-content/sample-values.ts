/** Gives the samples of field types what they are drawn from. `sample-items.ts` makes those that lead to other records. */
import type { Draw } from '../../../core/fields/field-type.ts';
import { fieldTypeOf } from '../../../core/fields/field-types.ts';
import type { FieldDefinition } from '../../../core/model/bundle.ts';
import type { FieldItem } from '../../../core/model/entity.ts';
import type { Random } from './random.ts';
import type { SampleContext } from './sample-context.ts';
import { nameOf, sentencesOf, within } from './sample-words.ts';

/** The longest text that is drawn for a field, so that lists stay readable. */
const longest = (field: FieldDefinition): number => Math.min(field.maxLength ?? 400, 400);

/** Fields whose values are numbers to people, by what sites call them. */
const numbered = /isbn|oclc|number|identifier|pid|classification|volume|issue|edition/;

export const drawFor = ({ site, now }: SampleContext, random: Random): Draw => ({
  ...random,
  ...{ site, now: now() },
  name: (field) =>
    within(numbered.test(field.name) ? String(100 + random.below(9000)) : nameOf(random), longest(field)),
  sentences: (field) => within(sentencesOf(random), longest(field)),
});

/** The address of a film that another site shows. */
export const addressItem = (field: FieldDefinition, random: Random): FieldItem => ({
  [fieldTypeOf(field).main]: `https://www.youtube.com/watch?v=sample${random.below(100_000)}`,
});
