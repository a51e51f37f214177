/** Divides a document with overlays: what is the site's own stays with the repository, operations that overlays add are served as those of any document. */
import { isRecord } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { methods, type DocumentObject } from '../../openapi/openapi-terms.ts';

type Item = Readonly<Record<string, unknown>>;

export type DividedDocument = {
  /** Without the added operations, and without the components that they alone use. */
  readonly own: DocumentObject;
  /** With the added operations alone. Undefined without any. */
  readonly added: DocumentObject | undefined;
};

const methodNames: ReadonlySet<string> = new Set(methods.map((method) => method.toLowerCase()));

/** `base` is the document before the overlays. */
export const divideDocument = (document: DocumentObject, base: DocumentObject): DividedDocument => {
  const own: Record<string, Item> = {};
  const added: Record<string, Item> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    const before = base.paths[path] ?? {};
    const isAdded = (name: string): boolean => methodNames.has(name) && !(name in before);
    const names = Object.keys(item);
    // A path that another reference describes belongs to nobody before.
    if (!(path in base.paths)) added[path] = item;
    else {
      own[path] = withMembers(item, (name) => !isAdded(name));
      if (names.some(isAdded)) added[path] = withMembers(item, (name) => isAdded(name) || !methodNames.has(name));
    }
  }
  if (Object.keys(added).length === 0) return { own: document, added: undefined };
  return {
    own: { ...document, paths: own, components: usedComponents({ ...document, paths: own }, base) },
    added: { ...document, paths: added },
  };
};

const withMembers = (item: Item, isTaken: (name: string) => boolean): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => isTaken(name)));

/** Those that were there before, and those that the paths lead to. */
const usedComponents = ({ paths, components }: DocumentObject, base: DocumentObject): DocumentObject['components'] => {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isRecord(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (name === '$ref' && typeof member === 'string') follow(member);
      else visit(member);
    }
  };
  const follow = (reference: string): void => {
    const [root, kind = '', name = ''] = readPointer(reference);
    const key = `${kind}/${name}`;
    if (root !== 'components' || used.has(key)) return;
    used.add(key);
    visit(components[kind]?.[name]);
  };
  visit(paths);
  for (const [kind, members] of Object.entries(base.components))
    for (const name of Object.keys(members)) follow(`#/components/${kind}/${name}`);
  return Object.fromEntries(
    Object.entries(components).map(([kind, members]) => [
      kind,
      withMembers(members, (name) => used.has(`${kind}/${name}`)),
    ]),
  );
};
