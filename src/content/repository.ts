/** The only way to records: finds (404), checks (403, made 401 by the engine) and hands out what may be shown or changed. */
import type { Principal } from '../model/principal.ts';
import { denied, type Problem } from '../problem.ts';
import type { StoreView } from '../model/entity-store.ts';
import { createAnyVerdict, createVerdict, editVerdict, removeVerdict, viewVerdict, type Verdict } from './verdicts.ts';
import { createEntity, patchEntity, readsOf, type DecisionContext } from './changes.ts';
import { readBody, readBundle, readFields, refuseUnknown, uuidsIn, type ReceivedFields } from './fields/denormalise.ts';
import { loadEdtf } from './fields/edtf-dates.ts';
import { entityKey, firstValue, keyOf, textOf } from '../model/entity.ts';
import type { Entity, EntityType, Json } from '../model/entity.ts';
import { secondsOf } from '../model/clock.ts';
import { byUuid, fileAt, mediaUsingFile } from './index-keys.ts';
import { createMediaIcons, type MediaIcons } from './uploads/media-icons.ts';
import type { Bundle } from '../model/bundle.ts';
import type { RepositoryParts } from './repository-parts.ts';
import { filesToKeep } from './uploads/temporary-files.ts';

/** Which entity a path names, and the 404 that says it does not exist, in the words of the route. */
export type Address = { readonly type: EntityType; readonly id: number; readonly absent: () => Problem };

/** An entity that the principal may see. */
export type ViewHandle = { readonly entity: Entity };
/** An entity that the principal may change. `patch` decides anew on what is stored by then. */
export type EditHandle = { readonly entity: Entity; patch(body: Json): Promise<Entity> };
/** An entity that the principal may delete. Nothing cascades (R 2.5); a file takes its bytes along. */
export type RemoveHandle = { readonly entity: Entity; commit(): Promise<void> };
/** The right to create something of a type; whether of the bundle that the body names is asked again. */
export type CreateHandle = { post(body: Json): Promise<Entity> };

/** The scheme of a file's uri, such as `public`. */
export const schemeOf = (file: Entity): string => textOf(firstValue(file, 'uri')).split('://')[0] ?? '';

export class Repository {
  readonly parts: RepositoryParts;
  readonly icons: MediaIcons;

  constructor(parts: RepositoryParts) {
    this.parts = parts;
    this.icons = createMediaIcons(parts);
  }

  /** Finds and checks the right to see. */
  async view(principal: Principal, address: Address): Promise<ViewHandle> {
    const entity = await this.find(address);
    requireHandle(await this.viewVerdict(principal, entity));
    return { entity };
  }

  /**
   * Whether the principal may see an entity that something else refers to. A plain answer wherever nothing has to be
   * looked up for it: a node can have 10,000 media, and waiting for each would take longer than all the rest.
   */
  canView(principal: Principal, entity: Entity): boolean | Promise<boolean> {
    const verdict = this.viewVerdict(principal, entity);
    return verdict instanceof Promise ? verdict.then((reason) => reason === undefined) : verdict === undefined;
  }

  /** Finds and checks the right to change. */
  async edit(principal: Principal, address: Address): Promise<EditHandle> {
    const entity = await this.find(address);
    requireHandle(editVerdict(principal, entity));
    return { entity, patch: (body) => this.patch(principal, address, entity, body) };
  }

  /** Finds and checks the right to delete. */
  async remove(principal: Principal, address: Address): Promise<RemoveHandle> {
    const entity = await this.find(address);
    requireHandle(removeVerdict(principal, entity));
    return { entity, commit: () => this.delete(principal, address) };
  }

  /** Checks the right to create something of a type. The bundle is known only when the body has been read. */
  create(principal: Principal, type: EntityType): CreateHandle {
    const bundles = this.parts.site.model.bundles(type).map((bundle) => bundle.id);
    requireHandle(createAnyVerdict(principal, type, bundles));
    return { post: (body) => this.post(principal, type, body) };
  }

  /** The file stored at `scheme://path`, for sending its bytes. Open schemes ask nobody (decisions: Content). */
  async content(principal: Principal, uri: string, absent: () => Problem): Promise<ViewHandle> {
    const [[file] = []] = await this.parts.store.lookupMany([fileAt(uri)]);
    if (file?.blob === undefined) throw absent();
    if (!this.isOpen(file)) requireHandle(await this.viewVerdict(principal, file));
    return { entity: file };
  }

  /** The entity itself, whoever asks. For rooms that check on their own: nothing of it may be shown unchecked. */
  async find(address: Address): Promise<Entity> {
    const [entity] = await this.parts.store.getMany([entityKey(address.type, address.id)]);
    if (entity === undefined) throw address.absent();
    return entity;
  }

  /** What decisions stand on: the published and staged records, and the time. */
  ground(view: StoreView, principal: Principal, iconFile: number | undefined): DecisionContext {
    const { site, clock, ids } = this.parts;
    const { languages, langcode } = site;
    const mayView = (target: Entity): boolean => {
      const media = target.type === 'file' ? view.lookup(mediaUsingFile(target.id)) : [];
      return viewVerdict(principal, target, { open: this.isOpen(target), media }) === undefined;
    };
    const given = { now: secondsOf(clock), newUuid: () => ids.uuid() };
    return { view, principal, languages, langcode, iconFile, mayView, ...given };
  }

  private isOpen(file: Entity): boolean {
    const scheme = schemeOf(file);
    return this.parts.site.storages.some((mount) => mount.scheme === scheme && mount.access === 'open');
  }

  /** Only a guarded file has to wait: for the media that use it. */
  private viewVerdict(principal: Principal, entity: Entity): Verdict | Promise<Verdict> {
    if (entity.type !== 'file' || this.isOpen(entity)) return viewVerdict(principal, entity, { open: true, media: [] });
    return this.parts.store
      .lookupMany([mediaUsingFile(entity.id)])
      .then(([media = []]) => viewVerdict(principal, entity, { open: false, media }));
  }

  private async post(principal: Principal, type: EntityType, body: Json): Promise<Entity> {
    const sent = readBody(body);
    const bundle = readBundle(type, sent, this.parts.site.model);
    const received = await this.read(sent, bundle);
    requireHandle(createVerdict(principal, type, bundle.id));
    const iconFile = await this.icons.fileFor(bundle, principal.uid);
    return this.parts.store.transact(readsOf(undefined, bundle, received), (view) => {
      const entity = createEntity(bundle, received, this.ground(view, principal, iconFile));
      const kept = filesToKeep(entity, bundle, view, secondsOf(this.parts.clock));
      return { changes: [...kept, { put: entity }], result: entity };
    });
  }

  private async patch(principal: Principal, address: Address, found: Entity, body: Json): Promise<Entity> {
    const { model } = this.parts.site;
    const sent = readBody(body);
    const named = readBundle(found.type, sent, model);
    const bundle = model.bundle(found.type, found.bundle) ?? named;
    const received = await this.read(sent, named);
    // Another existing bundle is accepted and ignored; fields that only it has are not (decisions: Different).
    refuseUnknown([...received.keys()], bundle);
    const iconFile = await this.icons.fileFor(bundle, principal.uid);
    return this.parts.store.transact(readsOf(found, bundle, received), (view) => {
      const present = view.get(keyOf(found));
      if (present === undefined) throw address.absent();
      requireHandle(editVerdict(principal, present));
      const entity = patchEntity(present, bundle, received, this.ground(view, principal, iconFile));
      if (entity === present) return { changes: [], result: entity };
      const kept = filesToKeep(entity, bundle, view, secondsOf(this.parts.clock));
      return { changes: [...kept, { put: entity }], result: entity };
    });
  }

  private async delete(principal: Principal, address: Address): Promise<void> {
    const key = entityKey(address.type, address.id);
    const gone = await this.parts.store.transact([key], (view) => {
      const present = view.get(key);
      if (present === undefined) throw address.absent();
      requireHandle(removeVerdict(principal, present));
      return { changes: [{ remove: key }], result: present };
    });
    // The record is gone for good: bytes that cannot be removed now are swept at the next start.
    if (gone.blob !== undefined)
      await this.parts.blobs
        .get(schemeOf(gone))
        ?.remove(gone.blob.key)
        .catch(() => undefined);
  }

  private async read(sent: ReturnType<typeof readBody>, bundle: Bundle): Promise<ReceivedFields> {
    const indexes = uuidsIn(sent, bundle);
    const [found] = await Promise.all([this.parts.store.lookupMany(indexes), loadEdtf()]);
    const idsByKey = new Map(indexes.map((index, position) => [index, found[position]?.[0]?.id]));
    return readFields(sent, bundle, { idOf: (type, uuid) => idsByKey.get(byUuid(type, uuid)) });
  }
}

/** Throws the refusal of a verdict. */
export const requireHandle = (verdict: Verdict): void => {
  if (verdict !== undefined) throw denied(verdict);
};
