/** The only access to records: finds a record (404), checks access (403), returns it or a function that changes it. */
import type { Principal } from '../model/principal.ts';
import type { Problem } from '../problem.ts';
import type { StoreView } from '../model/entity-store.ts';
import {
  createAnyVerdict,
  createVerdict,
  editVerdict,
  removeVerdict,
  throwIfDenied,
  viewVerdict,
  type Verdict,
} from './verdicts.ts';
import { createEntity, patchEntity, readsOf, type DecisionContext } from './changes.ts';
import { readBody, readBundle, readFields, refuseUnknown, uuidsIn, type ReceivedFields } from './fields/denormalise.ts';
import { loadEdtf } from './fields/edtf-dates.ts';
import { entityKey, firstValue, keyOf, textOf } from '../model/entity.ts';
import type { Entity, EntityType, Json, JsonObject } from '../model/entity.ts';
import { secondsOf } from '../model/clock.ts';
import { byUuid, fileAt, mediaUsingFile } from './index-keys.ts';
import { iconFileFor } from './uploads/media-icons.ts';
import type { Bundle } from '../model/bundle.ts';
import type { RepositoryParts } from './repository-parts.ts';
import { makeFilesPermanent } from './uploads/temporary-files.ts';

/** The entity that a path names. `absent` makes the 404 with the text of the route. */
export type Address = { readonly type: EntityType; readonly id: number; readonly absent: () => Problem };

/** The scheme of a file's uri, such as `public`. */
export const schemeOf = (file: Entity): string => textOf(firstValue(file, 'uri')).split('://')[0] ?? '';

export class Repository {
  readonly parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.parts = parts;
  }

  async view(principal: Principal, address: Address): Promise<Entity> {
    const entity = await this.find(address);
    throwIfDenied(await this.viewVerdict(principal, entity));
    return entity;
  }

  /**
   * Whether the principal may see an entity. The answer is a promise only when a look-up is needed: a node can have
   * 10,000 media, and awaiting each answer would be slow.
   */
  canView(principal: Principal, entity: Entity): boolean | Promise<boolean> {
    const verdict = this.viewVerdict(principal, entity);
    return verdict instanceof Promise ? verdict.then((reason) => reason === undefined) : verdict === undefined;
  }

  /** Returns the function that patches. It checks access again, on the record that is stored by then. */
  async edit(principal: Principal, address: Address): Promise<(body: Json) => Promise<Entity>> {
    const entity = await this.find(address);
    throwIfDenied(editVerdict(principal, entity));
    return (body) => this.patch(principal, address, entity, body);
  }

  /** Returns the function that deletes. Nothing cascades, but a file's bytes go with it. */
  async remove(principal: Principal, address: Address): Promise<() => Promise<void>> {
    throwIfDenied(removeVerdict(principal, await this.find(address)));
    return () => this.delete(principal, address);
  }

  /** Returns the function that creates. It checks the bundle that the body names. */
  create(principal: Principal, type: EntityType): (body: Json) => Promise<Entity> {
    const bundles = this.parts.site.model.bundles(type).map((bundle) => bundle.id);
    throwIfDenied(createAnyVerdict(principal, type, bundles));
    return (body) => this.post(principal, type, body);
  }

  /** The file at `scheme://path`, for sending its bytes. Everybody may read the files of open schemes. */
  async content(principal: Principal, uri: string, absent: () => Problem): Promise<Entity> {
    const [[file] = []] = await this.parts.store.lookupMany([fileAt(uri)]);
    if (file?.blob === undefined) throw absent();
    if (!this.isOpen(file)) throwIfDenied(await this.viewVerdict(principal, file));
    return file;
  }

  /** The entity without any check. Callers must check access before they show anything of it. */
  async find(address: Address): Promise<Entity> {
    const [entity] = await this.parts.store.getMany([entityKey(address.type, address.id)]);
    if (entity === undefined) throw address.absent();
    return entity;
  }

  /** The context of a decision about records. `view` shows the published and the staged ones. */
  decisionContext(view: StoreView, principal: Principal, iconFile: number | undefined): DecisionContext {
    const { site, clock, ids } = this.parts;
    const { languages, langcode } = site;
    const mayView = (target: Entity): boolean => {
      const media = target.type === 'file' ? view.lookup(mediaUsingFile(target.id)) : [];
      return viewVerdict(principal, target, { open: this.isOpen(target), media }) === undefined;
    };
    const now = secondsOf(clock);
    return { view, principal, languages, langcode, iconFile, mayView, now, newUuid: () => ids.uuid() };
  }

  private isOpen(file: Entity): boolean {
    const scheme = schemeOf(file);
    return this.parts.site.storages.some((mount) => mount.scheme === scheme && mount.access === 'open');
  }

  /** Only a guarded file needs a look-up: of the media that use it. */
  private viewVerdict(principal: Principal, entity: Entity): Verdict | Promise<Verdict> {
    if (entity.type !== 'file' || this.isOpen(entity)) return viewVerdict(principal, entity, { open: true, media: [] });
    return this.parts.store
      .lookupMany([mediaUsingFile(entity.id)])
      .then(([media = []]) => viewVerdict(principal, entity, { open: false, media }));
  }

  private async post(principal: Principal, type: EntityType, body: Json): Promise<Entity> {
    const record = readBody(body);
    const bundle = readBundle(type, record, this.parts.site.model);
    const received = await this.readFields(record, bundle);
    throwIfDenied(createVerdict(principal, type, bundle.id));
    const iconFile = await iconFileFor(this.parts, bundle, principal);
    return this.parts.store.transact(readsOf(undefined, bundle, received), (view) => {
      const entity = createEntity(bundle, received, this.decisionContext(view, principal, iconFile));
      const permanentFiles = makeFilesPermanent(entity, bundle, view, secondsOf(this.parts.clock));
      return { changes: [...permanentFiles, { put: entity }], result: entity };
    });
  }

  private async patch(principal: Principal, address: Address, found: Entity, body: Json): Promise<Entity> {
    const { model } = this.parts.site;
    const record = readBody(body);
    const namedBundle = readBundle(found.type, record, model);
    const bundle = model.bundle(found.type, found.bundle) ?? namedBundle;
    const received = await this.readFields(record, namedBundle);
    // A PATCH may name another existing bundle, which is ignored. Fields that only that bundle has are refused.
    refuseUnknown([...received.keys()], bundle);
    const iconFile = await iconFileFor(this.parts, bundle, principal);
    return this.parts.store.transact(readsOf(found, bundle, received), (view) => {
      const present = view.get(keyOf(found));
      if (present === undefined) throw address.absent();
      throwIfDenied(editVerdict(principal, present));
      const entity = patchEntity(present, bundle, received, this.decisionContext(view, principal, iconFile));
      if (entity === present) return { changes: [], result: entity };
      const permanentFiles = makeFilesPermanent(entity, bundle, view, secondsOf(this.parts.clock));
      return { changes: [...permanentFiles, { put: entity }], result: entity };
    });
  }

  private async delete(principal: Principal, address: Address): Promise<void> {
    const key = entityKey(address.type, address.id);
    const gone = await this.parts.store.transact([key], (view) => {
      const present = view.get(key);
      if (present === undefined) throw address.absent();
      throwIfDenied(removeVerdict(principal, present));
      return { changes: [{ remove: key }], result: present };
    });
    // The next start sweeps bytes that cannot be removed now.
    if (gone.blob !== undefined) {
      await this.parts.blobs
        .get(schemeOf(gone))
        ?.remove(gone.blob.key)
        .catch(() => undefined);
    }
  }

  private async readFields(record: JsonObject, bundle: Bundle): Promise<ReceivedFields> {
    const indexes = uuidsIn(record, bundle);
    const [found] = await Promise.all([this.parts.store.lookupMany(indexes), loadEdtf()]);
    const idsByKey = new Map(indexes.map((index, position) => [index, found[position]?.[0]?.id]));
    return readFields(record, bundle, { idOf: (type, uuid) => idsByKey.get(byUuid(type, uuid)) });
  }
}
