/** The only access to records: finds a record (404), checks access (403), returns it or a function that changes it. */
import type { Advice, Advise } from '../../openapi/openapi-host.ts';
import { bundleOf, type Bundle } from '../model/bundle.ts';
import { changedAt } from '../model/changed-at.ts';
import { targetIds, type RepositoryType } from '../model/entity.ts';
import type { CollectionsView } from '../../openapi/openapi-terms.ts';
import type { Principal } from '../model/principal.ts';
import type { Reactions, RecordChange } from '../model/reactions.ts';
import { type Alongside, withCollections, writeOf } from './alongside.ts';
import { withAddress, withoutAddress } from './aliases/path-aliases.ts';
import { createEntity, type DecisionContext, patchEntity, receivedUuid } from './changes.ts';
import {
  readBody,
  readBundle,
  readFields,
  type ReceivedFields,
  refuseUnknown,
  uuidsIn,
  withoutComputed,
} from './fields/denormalise.ts';
import { isPendingDraft } from './fields/moderation.ts';
import { fileFieldsOf, mediaUsing } from './file-uses.ts';
import { byUuid, childrenOf, mediaUsingFile } from '../model/index-keys.ts';
import { readFrom } from '../model/reading.ts';
import type { RepositoryParts } from './repository-parts.ts';
import { removalOf } from './term-removal.ts';
import { fileTextFor, type FileText } from './uploads/file-text.ts';
import { iconFileFor } from './uploads/media-icons.ts';
import { adviseOfOverwritten } from './uploads/upload-advice.ts';
import {
  createAnyVerdict,
  createVerdict,
  editVerdict,
  isTemporary,
  removeVerdict,
  throwIfDenied,
  viewVerdict,
} from './verdicts.ts';
import { type Address, isOpen, viewed } from './views.ts';
import {
  createDrawnUuids,
  type DrawnUuids,
  secondsOf,
  type Change,
  type Decision,
  type StoreRead,
  type StoreView,
  type Entity,
  entityKey,
  keyOf,
} from '../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../basics/json.ts';
import { readsOf } from './decision-reads.ts';

/** The changes that make the temporary files of a saved record permanent. `now` in seconds since 1970. */
const makeFilesPermanent = (entity: Entity, bundle: Bundle, view: StoreView, now: number): Change[] => {
  const ids = new Set<number>();
  for (const name of fileFieldsOf(bundle)) for (const id of targetIds(entity, name)) ids.add(id);
  return [...ids].flatMap((id) => {
    const file = view.get(entityKey('file', id));
    if (file === undefined || !isTemporary(file)) return [];
    return [{ put: { ...file, fields: { ...file.fields, status: [{ value: true }], changed: changedAt(file, now) } } }];
  });
};

/** Lets the site react to a decision: in its last run, and once that is stored. */
const reactingTo = ({ inTransaction, afterCommit }: Reactions) => {
  let records: readonly RecordChange[] = [];
  return {
    decided: <T>({ changes: decided, result }: Decision<T>, context: DecisionContext): Decision<T> => {
      const { view } = context;
      const changes = inTransaction === undefined ? decided : inTransaction(decided, view, context);
      if (afterCommit !== undefined) records = changes.map((change) => recordChange(change, view));
      return { changes, result };
    },
    stored: (principal: Principal): void => {
      if (records.length > 0) afterCommit?.({ records, principal });
    },
  };
};

const recordChange = (change: Change, view: StoreView): RecordChange =>
  'put' in change
    ? { before: view.get(keyOf(change.put)), after: change.put }
    : { before: view.get(change.remove), after: undefined };

/** The scheme of a file's uri, such as `public`. */

/** Who decides, the media type's icon if the change may need it, and who hears of values that are not stored as they were sent. */
type Decider = Pick<DecisionContext, 'principal' | 'iconFile' | 'fileText' | 'advise' | 'sent' | 'shown'>;

/** A record as it was decided, and the fields that the answer shows otherwise. */
type Created = { readonly entity: Entity; readonly shown: JsonObject };
/** A PATCH that changes nothing writes nothing. */
type Patched = Created & { readonly isChanged: boolean };

/** A JSON body, and who hears of those of its values that are not stored as they were sent. */
type Received = { readonly body: Json; readonly advise: Advise; readonly also: Alongside | undefined };

/** Writes what a client sent, and with `alongside` records of collections in the same transaction. */
type Write<Result> = (body: Json, advise?: Advise, also?: Alongside) => Promise<Result>;

/** What a decision changes of collections, once it has decided about records. */
type InCollections<T> = { readonly write?: ((collections: CollectionsView, result: T) => void) | undefined };

export class Repository {
  readonly parts: RepositoryParts;

  constructor(parts: RepositoryParts) {
    this.parts = parts;
  }

  /** Throws 404 and 403. Reads look at records themselves: `views.ts`. */
  view(principal: Principal, address: Address): Promise<Entity> {
    const { store, site } = this.parts;
    return readFrom(store, (records) => viewed(address, { principal, records, site }));
  }

  /** Returns the function that patches. It checks access again, on the record that is stored by then. */
  async edit(principal: Principal, address: Address): Promise<Write<Patched>> {
    const found = await this.find(address);
    bundleOf(this.parts.site, found);
    throwIfDenied(editVerdict(principal, found, this.parts.site.model));
    return (body, advise, also) => this.patch(principal, address, found, { body, advise, also });
  }

  /** Returns the function that deletes. A file's bytes go with it, and the children of a term that have no other parent. */
  async remove(principal: Principal, address: Address): Promise<(also?: Alongside) => Promise<void>> {
    throwIfDenied(removeVerdict(principal, await this.find(address)));
    return (also) => this.delete(principal, address, also);
  }

  /** Returns the function that creates. It checks the bundle that the body names. */
  create(principal: Principal, type: RepositoryType): Write<Created> {
    const bundles = this.parts.site.model.bundles(type).map((bundle) => bundle.id);
    throwIfDenied(createAnyVerdict(principal, type, bundles));
    return (body, advise, also) => this.post(principal, type, { body, advise, also });
  }

  /** The entity without any check. Callers must check access before they show anything of it. */
  async find(address: Address): Promise<Entity> {
    const [entity] = await this.parts.store.getMany([entityKey(address.type, address.id)]);
    if (entity === undefined) throw address.absent();
    return entity;
  }

  /** Decides and stores. Then the advices of the stored run are delivered. `view` shows the published and the staged records. */
  async decide<T>(
    reads: readonly StoreRead[] | ((uuids: DrawnUuids) => readonly StoreRead[]),
    { advise, write, ...decider }: Decider & InCollections<T>,
    decide: (view: StoreView, context: DecisionContext) => Decision<T>,
  ): Promise<T> {
    const advice = createDecisionAdvice(advise);
    const uuids = createDrawnUuids(this.parts.ids);
    const named = typeof reads === 'function' ? reads(uuids) : reads;
    const reacting = this.parts.reactions && reactingTo(this.parts.reactions);
    const result = await this.parts.store.transact(named, (view) => {
      const context = this.decisionContext(view, decider, { newUuid: uuids.begin(), advise: advice.begin() });
      const decision = decide(view, context);
      const reacted = reacting === undefined ? decision : reacting.decided(decision, context);
      if (write === undefined) return reacted;
      return withCollections(reacted, view, { collections: this.parts.collections, write });
    });
    advice.deliver();
    reacting?.stored(decider.principal);
    return result;
  }

  /** Tells that no record names the bytes of a former record any more. */
  async release(former: Entity): Promise<void> {
    // The next start sweeps bytes that cannot be removed now.
    if (former.blob !== undefined) await this.parts.released?.(former).catch(() => undefined);
  }

  private decisionContext(
    view: StoreView,
    { principal, iconFile, fileText, sent, shown }: Decider,
    { newUuid, advise }: Pick<DecisionContext, 'newUuid' | 'advise'>,
  ): DecisionContext {
    const { site, clock } = this.parts;
    const { languages, langcode, textFormats } = site;
    const mayView = (target: Entity): boolean => {
      const found = target.type === 'file' ? view.lookup(mediaUsingFile(target.id)) : [];
      const media = mediaUsing(found, target.id, site.model);
      return viewVerdict(principal, target, { open: isOpen(target, site), media }) === undefined;
    };
    const received = { principal, iconFile, fileText, sent, shown, newUuid, advise };
    // A spread with members behind it took a tenth of a PATCH.
    return Object.assign(received, { view, languages, langcode, textFormats, mayView, now: secondsOf(clock) });
  }

  private async post(principal: Principal, type: RepositoryType, { body, advise, also }: Received): Promise<Created> {
    const record = readBody(body);
    const bundle = readBundle(type, record, this.parts.site.model);
    const received = await this.readFields(withoutComputed(record, bundle, 'create'), bundle);
    throwIfDenied(createVerdict(principal, type, bundle.id));
    const sent = received.get(bundle.source?.field ?? '');
    const iconFile = bundle.source && (await iconFileFor(this.parts, bundle.source, principal));
    const fileText = await this.fileText(bundle, { sent });
    const reads = (uuids: DrawnUuids): readonly StoreRead[] => {
      const uuid = receivedUuid(bundle, received) ?? uuids.first();
      return [...readsOf(undefined, bundle, received), { index: byUuid(type, uuid) }];
    };
    const shown = {};
    const write = also && writeOf<Created>(also, ({ entity }) => entity);
    return this.decide(
      reads,
      { principal, iconFile, fileText, advise, write, sent: received, shown },
      (view, context) => {
        const created = createEntity(bundle, received, context);
        const { entity, changes } = withAddress(undefined, created, this.parts.site, context);
        const permanentFiles = makeFilesPermanent(entity, bundle, view, secondsOf(this.parts.clock));
        return { changes: [...permanentFiles, ...changes, { put: entity }], result: { entity, shown } };
      },
    );
  }

  private async patch(
    principal: Principal,
    address: Address,
    found: Entity,
    { body, advise, also }: Received,
  ): Promise<Patched> {
    const { model } = this.parts.site;
    const record = readBody(body);
    const namedBundle = readBundle(found.type, record, model);
    const bundle = bundleOf({ model }, found);
    const received = await this.readFields(withoutComputed(record, namedBundle, 'change'), namedBundle);
    // A PATCH may name another existing bundle, which is ignored. Fields that only that bundle has are refused.
    refuseUnknown([...received.keys()], bundle);
    const sent = received.get(bundle.source?.field ?? '');
    const shown = {};
    const decider = {
      ...{ principal, advise, sent: received, shown, write: also && writeOf<Patched>(also, ({ entity }) => entity) },
      iconFile: bundle.source && (await iconFileFor(this.parts, bundle.source, principal)),
      fileText: await this.fileText(bundle, { sent, found }),
    };
    return this.decide<Patched>(readsOf(found, bundle, received), decider, (view, context) => {
      const present = view.get(keyOf(found));
      if (present === undefined) throw address.absent();
      throwIfDenied(editVerdict(principal, present, model));
      const patched = patchEntity(present, bundle, received, context);
      if (patched === present) return { changes: [], result: { entity: patched, shown, isChanged: false } };
      const { entity, changes } = withAddress(present, patched, this.parts.site, context);
      adviseOfOverwritten({ before: present, after: entity, bundle, sent: new Set(received.keys()) }, context);
      const permanentFiles = makeFilesPermanent(entity, bundle, view, secondsOf(this.parts.clock));
      const kept = isPendingDraft(present, entity, bundle, context) ? [] : [...changes, { put: entity }];
      return { changes: [...permanentFiles, ...kept], result: { entity, shown, isChanged: true } };
    });
  }

  private async delete(principal: Principal, address: Address, also: Alongside | undefined): Promise<void> {
    const key = entityKey(address.type, address.id);
    const { site, clock } = this.parts;
    const reads = address.type === 'taxonomy_term' ? [key, { index: childrenOf(address.id) }] : [key];
    const write = also && writeOf<readonly Entity[]>(also, (removed) => removed.find((one) => keyOf(one) === key));
    const gone = await this.decide(reads, { principal, write }, (view) => {
      const present = view.get(key);
      if (present === undefined) throw address.absent();
      throwIfDenied(removeVerdict(principal, present));
      const removal = removalOf(present, view, secondsOf(clock));
      const removals = removal.gone.flatMap((one): readonly Change[] => [
        ...withoutAddress(one, site, view),
        { remove: keyOf(one) },
      ]);
      return { changes: [...removal.changes, ...removals], result: removal.gone };
    });
    for (const one of gone) await this.release(one);
  }

  /** Undefined at once for all but the few media types that fill a field with the text of their file. */
  private fileText(
    bundle: Bundle,
    media: Parameters<typeof fileTextFor>[2],
  ): Promise<FileText | undefined> | undefined {
    return bundle.source?.textField === undefined ? undefined : fileTextFor(this.parts, bundle, media);
  }

  private async readFields(record: JsonObject, bundle: Bundle): Promise<ReceivedFields> {
    const indexes = uuidsIn(record, bundle);
    const found = indexes.length === 0 ? [] : await this.parts.store.lookupMany(indexes);
    const idsByKey = new Map(indexes.map((index, position) => [index, found[position]?.[0]?.id]));
    const idOf = (type: string, uuid: string) => idsByKey.get(byUuid(type, uuid));
    return readFields(record, bundle, { idOf, now: secondsOf(this.parts.clock) });
  }
}

/**
 * Collects the advices of a decision. A decision may run more than once: each run begins with `begin`, and `deliver` tells
 * those of the last run, once it is stored.
 */
const createDecisionAdvice = (advise: Advise): { readonly begin: () => Advise; readonly deliver: () => void } => {
  let run: Advice[] = [];
  return {
    begin: () => {
      run = [];
      const current = run;
      return advise === undefined ? undefined : (advice) => void current.push(advice);
    },
    deliver: () => run.forEach((advice) => advise?.(advice)),
  };
};
