/** The head of an entity's page: its picture, title, what it is, and what can be done with it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { modelQuery, type EntitySummary } from '../api/queries.ts';
import { AddMedia } from '../edit/files/add-media.tsx';
import { Badge, PageHead } from '../ui/text.tsx';
import { entityTypes } from './entity-address.ts';
import { Breadcrumb, LeadFacts } from './lead-facts.tsx';
import { LeadPicture } from './lead-picture.tsx';
import type { Fields } from './representation.ts';
import { stateOf } from '../ui/entity-state.ts';

type ModelBundle = ControlSchemas['ModelBundle'];

type ObjectHeadProps = {
  readonly entity: EntitySummary;
  /** Its fields as the account sees them. Undefined until they are there, and where it may not see them. */
  readonly fields: Fields | undefined;
};

export const ObjectHead = ({ entity, fields = {} }: ObjectHeadProps): ReactElement => {
  const { type, id, bundle, title, model, published } = entity;
  const known = useBundles().find((each) => each.type === type && each.bundle === bundle);
  const bundleLabel = known?.label;
  return (
    <div className="object-lead">
      <LeadPicture entity={entity} />
      <div className="stack">
        {type === 'node' && <Breadcrumb fields={fields} />}
        <PageHead title={title} actions={<Actions entity={entity} />} />
        <div className="row">
          <Badge>
            {entityTypes[type]} {id}
          </Badge>
          {bundleLabel !== undefined && bundleLabel !== entityTypes[type] && (
            <Badge>
              {bundleLabel} ({bundle})
            </Badge>
          )}
          {model !== undefined && <Badge>{model}</Badge>}
          <Badge tone={published ? 'good' : 'warn'}>{workflowState(fields, known) ?? stateOf(entity)}</Badge>
        </div>
        {known !== undefined && <LeadFacts fields={fields} bundle={known} />}
      </div>
    </div>
  );
};

/** What the workflow of the bundle calls the state of the record. Undefined without a workflow. */
const workflowState = (fields: Fields, bundle: ModelBundle | undefined) => {
  const [state] = fields['moderation_state'] ?? [];
  const choices = bundle?.fields.find(({ name }) => name === 'moderation_state')?.allowedValues;
  return choices?.find(({ value }) => value === state?.['value'])?.label;
};

const useBundles = () => useQuery(modelQuery).data?.bundles ?? [];

/** A role that may not do something is refused by the server, so nothing is hidden here for its sake. */
const Actions = ({ entity }: { readonly entity: EntitySummary }): ReactElement => {
  const { type, id, bundle, url } = entity;
  const bundles = useBundles();
  const own = bundles.find((each) => each.type === type && each.bundle === bundle);
  const memberBundle = bundles.find((each) => each.type === 'node' && has(each, 'field_member_of'));
  const hasMedia = bundles.some((each) => each.type === 'media' && has(each, 'field_media_of'));
  const hasPage = type === 'node' || type === 'media' || type === 'taxonomy_term';
  return (
    <>
      {own?.methods.some((method) => method === 'PATCH' || method === 'DELETE') === true && (
        <Link className="button main" to="/entities/$type/$id/edit" params={{ type, id: String(id) }}>
          Edit
        </Link>
      )}
      {type === 'node' && memberBundle !== undefined && (
        <Link
          className="button"
          to="/create"
          search={{
            type: 'node',
            bundle: has(own, 'field_member_of') ? bundle : memberBundle.bundle,
            field_member_of: String(id),
          }}
        >
          Create a member
        </Link>
      )}
      {type === 'node' && hasMedia && <AddMedia node={String(id)} />}
      {hasPage && (
        <a className="button" href={url.replace(/\?_format=json$/, '')} target="_blank" rel="noreferrer">
          Readable page
        </a>
      )}
    </>
  );
};

const has = (bundle: { readonly fields: readonly { readonly name: string }[] } | undefined, field: string): boolean =>
  bundle?.fields.some(({ name }) => name === field) === true;
