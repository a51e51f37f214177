/** What the head of an object's page says of it: the collections above it, and three facts. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { FieldValue } from './field-value.tsx';
import { referencesIn, type Fields, type Item } from './representation.ts';
import { nameKey, useNames } from './summaries.ts';

type ModelBundle = ControlSchemas['ModelBundle'];
type ModelField = ControlSchemas['ModelField'];

const parentField = 'field_member_of';

/** The way down to the object: the repository, then the collection that it is a member of. */
export const Breadcrumb = ({ fields }: { readonly fields: Fields }): ReactElement => {
  const parents = referencesIn({ [parentField]: fields[parentField] ?? [] });
  const names = useNames(parents);
  return (
    <nav aria-label="Where it is" className="breadcrumb">
      <Link to="/repository">Repository</Link>
      {parents.map((key) => (
        <span key={key.id}>
          {' '}
          ›{' '}
          <Link to="/entities/$type/$id" params={{ type: key.type, id: String(key.id) }} dir="auto">
            {names.get(nameKey(key))?.title ?? `Object ${key.id}`}
          </Link>
        </span>
      ))}
    </nav>
  );
};

const mostFacts = 3;
const longestFact = 80;

/** Types whose values are short. */
const shortTypes = /^(?:entity_reference|edtf|list_|typed_relation|string$|integer|datetime)/;

type Fact = { readonly field: ModelField; readonly items: readonly Item[] };

/** The first fields of the site that have short values, in its order, one of dates alone: an object has several that say the same. */
const factsOf = (fields: Fields, bundle: ModelBundle): readonly Fact[] => {
  const facts = bundle.fields
    .filter(({ name, type, configured }) => configured && shortTypes.test(type) && !isShownBeside(name))
    .flatMap((field): readonly Fact[] => {
      const items = fields[field.name] ?? [];
      const isShort = items.every((item) => JSON.stringify(item['value'] ?? '').length <= longestFact);
      return items.length === 0 || !isShort ? [] : [{ field, items }];
    });
  const firstDate = facts.find(isDate);
  return facts.filter((fact) => !isDate(fact) || fact === firstDate).slice(0, mostFacts);
};

const isDate = ({ field }: Fact): boolean => /^(?:edtf|datetime)/.test(field.type);

/** The parent and the model are shown next to the facts; how a site shows an object is not one. */
const isShownBeside = (name: string): boolean =>
  [parentField, 'field_model', 'field_alternative_title', 'field_display_hints', 'field_viewer_override'].includes(
    name,
  );

const mostItems = 2;

export const LeadFacts = (props: { readonly fields: Fields; readonly bundle: ModelBundle }): ReactElement | null => {
  const facts = factsOf(props.fields, props.bundle);
  const names = useNames(referencesIn(Object.fromEntries(facts.map(({ field, items }) => [field.name, items]))));
  if (facts.length === 0) return null;
  return (
    <dl className="lead-facts">
      {facts.map(({ field, items }) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            {items.slice(0, mostItems).map((item, at) => (
              // Items have no name of their own.
              <span key={at}>
                {at > 0 && '; '}
                <FieldValue item={item} field={field} names={names} />
              </span>
            ))}
            {items.length > mostItems && <span className="soft"> and {items.length - mostItems} more</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
};
