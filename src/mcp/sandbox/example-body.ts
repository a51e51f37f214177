/** Makes a request that creates a record of a bundle: with what the bundle requires, tried in a copy of the world. */
import type { components } from '../../core/generated/control.ts';
import type { EntityQuery } from '../../exchange/worlds/controlled-world.ts';
import { accountsOf } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { rehearse } from './rehearsal.ts';
import type { Trial } from './trial.ts';

type Bundle = components['schemas']['ModelBundle'];
type Field = Bundle['fields'][number];
type Item = Readonly<Record<string, unknown>>;
type Reference = { readonly type: NonNullable<EntityQuery['type']>; readonly bundles: readonly string[] | undefined };

type ExampleRequest = { readonly trial: Trial; readonly status: number };

/** Undefined where records of the bundle are not created with a request of their own. */
export const exampleBody = async (bundle: Bundle, call: Call): Promise<ExampleRequest | undefined> => {
  const { createPath } = bundle;
  if (createPath === undefined) return undefined;
  const json = await bodyFor(bundle, call);
  const able = (await accountsOf(call, call.server)).filter(
    ({ password, blocked }) => password !== undefined && !blocked,
  );
  let refused: ExampleRequest | undefined;
  for (const { name: account } of able) {
    const trial: Trial = { method: 'POST', path: createPath, account, json };
    const answer = await rehearse(call, call.server, [{ trial }]);
    if (answer !== undefined && answer.status < 400) return { trial, status: answer.status };
    refused ??= answer === undefined ? undefined : { trial, status: answer.status };
  }
  return refused;
};

const bodyFor = async ({ fields, bundle, bundleField, labelField, source }: Bundle, call: Call): Promise<Item> => {
  const body: Record<string, unknown> = {};
  if (bundleField !== undefined) body[bundleField] = [{ target_id: bundle }];
  for (const field of fields) {
    const isWanted = (field.required && !field.filled) || field.name === labelField || field.name === source?.field;
    if (!isWanted || field.readOnly || field.name === bundleField) continue;
    const isVideo = source?.kind === 'oembed' && field.name === source.field;
    const item = isVideo ? { [field.main]: videoAddress } : await itemFor(field, call);
    if (item !== undefined) body[field.name] = [item];
  }
  return body;
};

/** A video of a provider that every Drupal site knows. */
const videoAddress = 'https://www.youtube.com/watch?v=jNQXAC9IVRw';

/** An item that the rules of the field allow. Undefined when the world has nothing to refer to. */
const itemFor = async (field: Field, call: Call): Promise<Item | undefined> => {
  const { main, type, target, allowedValues, relations, min, extensions } = field;
  const choice = allowedValues?.[0]?.value;
  if (target !== undefined) {
    const id =
      extensions === undefined
        ? await targetOf({ type: target.type as Reference['type'], bundles: target.bundles }, call) // content, where a record is required
        : await fileOf(extensions, call);
    return id === undefined
      ? undefined
      : { [main]: id, ...(relations === undefined ? {} : { rel_type: relations[0]?.value }) };
  }
  if (choice !== undefined) return { [main]: /integer|float/.test(type) ? Number(choice) : choice };
  if (type === 'boolean') return { [main]: true };
  if (/integer|decimal|float/.test(type)) return { [main]: min ?? 1 };
  if (type === 'edtf') return { [main]: '2026' };
  if (type === 'datetime') return { [main]: field.dateOnly === true ? '2026-01-02' : '2026-01-02T03:04:05+00:00' };
  if (type === 'link') return { [main]: 'https://example.org/' };
  return { [main]: type === 'email' ? 'someone@example.org' : field.label.slice(0, field.maxLength ?? 80) };
};

/** A file with one of these extensions. */
const fileOf = async (extensions: readonly string[], call: Call): Promise<number | undefined> => {
  for (const extension of extensions) {
    const ending = `.${extension.toLowerCase()}`;
    const { entities } = await call.server.entities({ type: 'file', text: ending, limit: '50' });
    const found = entities.find(({ title }) => title.toLowerCase().endsWith(ending));
    if (found !== undefined) return found.id;
  }
  return undefined;
};

const targetOf = async ({ type, bundles }: Reference, call: Call): Promise<number | undefined> => {
  const bundle = bundles?.join(',');
  const { entities } = await call.server.entities({ type, limit: '50', ...(bundle === undefined ? {} : { bundle }) });
  return entities[0]?.id;
};
