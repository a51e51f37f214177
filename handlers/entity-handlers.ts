/** Makes the handlers that nodes, media, terms and files have in common: read, create, update, delete. */
import {
  type RepositoryType,
  readFrom,
  type Records,
  bundleOf,
  type Bundle,
  inLanguage,
  entityPath,
  type World,
} from '../src/repository/repository.ts';
import { entityAt, type ContractRequest } from '../src/repository/repository-engine.ts';
import { jsonReply, type Advice } from '../src/openapi/openapi-host.ts';
import { viewed, renderJson, represent, silentChanges } from '../src/repository/repository-content.ts';
import { type Entity, keyOf } from '../src/openapi/openapi-records.ts';
import type { Json, JsonObject } from '../src/basics/json.ts';

/** A request whose path has the id of an entity in this parameter. */
export type EntityRequest<Parameter extends string> = ContractRequest<{ readonly [P in Parameter]: number }, unknown>;
type JsonInput = { readonly json: Json };

/** Collects what the decision advises, then adds every other difference between the body and the record. */
const collect = ({ advise }: Pick<ContractRequest<unknown, unknown>, 'advise'>) => {
  if (advise === undefined) return undefined;
  const advices: Advice[] = [];
  return {
    add: (advice: Advice): void => void advices.push(advice),
    compare: (sent: Json, shown: JsonObject, bundle: Bundle): void =>
      [...advices, ...silentChanges(sent, shown, bundle, advices)].forEach(advise),
  };
};

const reader =
  <Parameter extends string>(type: string, parameter: Parameter) =>
  (request: EntityRequest<Parameter>, world: World, records: Records) => {
    const { principal } = request.identity;
    const { site, baseUrl, basePath, language } = world;
    const subject = viewed(entityAt(request, type, parameter), { principal, records, site });
    const context = { site, baseUrl, basePath, records, viewer: principal };
    return () => ({
      status: 200 as const,
      subject,
      ...represent(language === undefined ? subject : inLanguage(subject, language), request.format, context),
    });
  };

/** Hardly any answer shows a field otherwise than the record has it. */
const withShown = (body: JsonObject, shown: JsonObject): JsonObject =>
  Object.keys(shown).length === 0 ? body : { ...body, ...shown };

/** The record as it is stored, which a reaction of the site may have changed since it was decided. */
export const asStored = (entity: Entity, { repository }: Pick<World, 'repository'>, records: Records): Entity =>
  repository.parts.reactions?.inTransaction === undefined ? entity : (records.get(keyOf(entity)) ?? entity);

/** The body of an answer shows the record as it was sent. Its address is that of the record as it is stored. */
const pathOfNew = (entity: Entity, world: World, records: Records): string =>
  entityPath(world.site, asStored(entity, world, records));

/** The handlers of a type. `parameter` is the path parameter that has the id. */
export const entityHandlers = <Parameter extends string>(type: RepositoryType, parameter: Parameter) => ({
  read: reader(type, parameter),

  create: async (request: ContractRequest<unknown, unknown>, world: World) => {
    const viewer = request.identity.principal;
    const post = world.repository.create(viewer, type);
    return async ({ json }: JsonInput) => {
      const advices = collect(request);
      const { entity, shown } = await post(json, advices?.add);
      const { body, path } = await readFrom(world.store, (records) => ({
        body: withShown(renderJson(entity, { ...world, records, viewer }), shown),
        path: pathOfNew(entity, world, records),
      }));
      advices?.compare(json, body, bundleOf(world.site, entity));
      return { ...jsonReply(body, 201), headers: { Location: world.baseUrl + path } };
    };
  },

  update: async (request: EntityRequest<Parameter>, world: World) => {
    const viewer = request.identity.principal;
    const patch = await world.repository.edit(viewer, entityAt(request, type, parameter));
    return async ({ json }: JsonInput) => {
      const advices = collect(request);
      const { entity, shown, isChanged } = await patch(json, advices?.add);
      const body = await readFrom(world.store, (records) =>
        withShown(renderJson(entity, { ...world, records, viewer }, isChanged ? 'write' : 'read'), shown),
      );
      advices?.compare(json, body, bundleOf(world.site, entity));
      return jsonReply(body);
    };
  },

  remove: async (request: EntityRequest<Parameter>, world: World) => {
    const commit = await world.repository.remove(request.identity.principal, entityAt(request, type, parameter));
    return async () => {
      await commit();
      return { status: 204 as const };
    };
  },
});
