/** The fields of an entity by the labels of the site, with their values. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import type { PlainAnswer } from '../api/exchange.ts';
import { modelQuery, type EntitySummary } from '../api/queries.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { FieldValue } from './field-value.tsx';
import { Refused } from './refused.tsx';
import { fieldsOf, referencesIn, type Item } from './representation.ts';
import { useNames, type Names } from './summaries.ts';

type ModelField = ControlSchemas['ModelField'];
type FieldsTabProps = { readonly entity: EntitySummary; readonly answer: PlainAnswer };

export const FieldsTab = ({ entity, answer }: FieldsTabProps): ReactElement => {
  const fields = fieldsOf(answer);
  const model = useQuery(modelQuery);
  const names = useNames(referencesIn(fields ?? {}));
  if (answer.status !== 200) return <Refused answer={answer} what="this object as JSON" />;
  if (fields === undefined) return <Empty title="The response has no fields. Its text is under “Raw HTTP”." />;
  // Labels and order are those of the site. Without them the fields would turn over when they come.
  if (model.data === undefined)
    return (
      <Loaded query={model} what="the fields of the site">
        {() => null}
      </Loaded>
    );
  const bundle = model.data.bundles.find((each) => each.type === entity.type && each.bundle === entity.bundle);
  const known = new Map((bundle?.fields ?? []).map((field) => [field.name, field]));
  const places = new Map((bundle?.fields ?? []).map(({ name, configured }, at) => [name, configured ? at : at + last]));
  const placeOf = ({ name }: Shown): number => places.get(name) ?? 2 * last;
  const present = Object.entries(fields).map(([name, items]): Shown => ({ name, items, field: known.get(name) }));
  const filled = present.filter(({ items }) => items.length > 0).sort((a, b) => placeOf(a) - placeOf(b));
  const isOfForm = ({ field }: Shown): boolean => field === undefined || field.configured || field.inForm;
  const empty = present.filter(({ items }) => items.length === 0);
  return (
    <div className="stack">
      <FieldList title="Fields" shown={filled.filter(isOfForm)} names={names} />
      <Folded title="Kept by the repository" shown={filled.filter((each) => !isOfForm(each))} names={names} />
      {empty.length > 0 && (
        <section>
          <h2>Without a value</h2>
          <p className="soft">{empty.map(({ name, field }) => field?.label ?? name).join(' · ')}</p>
        </section>
      )}
    </div>
  );
};

/** More than any bundle has fields: the fields of the site go before those that every record has. */
const last = 10_000;

type Shown = { readonly name: string; readonly items: readonly Item[]; readonly field: ModelField | undefined };

type FieldListProps = { readonly title: string; readonly shown: readonly Shown[]; readonly names: Names };

/** Ids, times and revisions, for those who look for them. */
const Folded = ({ title, shown, names }: FieldListProps): ReactElement | null =>
  shown.length === 0 ? null : (
    <details>
      <summary>
        {title} ({shown.length})
      </summary>
      <FieldList title={title} shown={shown} names={names} />
    </details>
  );

const FieldList = ({ title, shown, names }: FieldListProps): ReactElement | null =>
  shown.length === 0 ? null : (
    <section>
      <h2>{title}</h2>
      <dl className="object-fields">
        {shown.map(({ name, items, field }) => (
          <div key={name}>
            <dt>
              <bdi>{field?.label ?? name}</bdi> {field !== undefined && <code>{name}</code>}
            </dt>
            <dd>
              {items.map((item, at) => (
                // Items have no name of their own, and their order does not change while they are shown.
                <div key={at}>
                  <FieldValue item={item} field={field} names={names} />
                </div>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
