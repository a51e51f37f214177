/** Gathers the texts of a query that belong to one object, and makes typed values of them. */
import { setOwn, type Values } from '../schemas/values.ts';

/** A member that was sent more than once, or whose schema wants one, is a list. */
export const valueOf = (texts: readonly string[], schema: unknown, values: Values): unknown => {
  const { types } = values.outline(schema);
  if (types.has('array') || texts.length > 1) return values.list(texts, schema);
  return values.fromText(texts[0] ?? '', schema);
};

/** A value below brackets, while it is gathered: texts, or members. */
export class DeepObject {
  readonly members = new Map<string, DeepObject>();
  readonly texts: string[] = [];

  add([step, ...rest]: readonly string[], text: string): void {
    if (step === undefined) {
      this.texts.push(text);
      return;
    }
    const node = this.members.get(step) ?? new DeepObject();
    this.members.set(step, node);
    node.add(rest, text);
  }

  /** Of `a[0]=…&a[1]=…`, or of `a[]=…&a[]=…`, where the items have one name. */
  private items(): DeepObject[] {
    return [...this.members].flatMap(([name, node]) =>
      name === '' && node.members.size === 0 ? node.texts.map(ofText) : [node],
    );
  }

  valueFor(schema: unknown, values: Values): unknown {
    if (this.members.size === 0) return valueOf(this.texts, schema, values);
    const { types, member, item } = values.outline(schema);
    if (types.has('array') && !types.has('object'))
      return this.items().map((node, index) => node.valueFor(item(index), values));
    const made: Record<string, unknown> = {};
    for (const [name, node] of this.members) setOwn(made, name, node.valueFor(member(name), values));
    return made;
  }
}

const ofText = (text: string): DeepObject => {
  const node = new DeepObject();
  node.add([], text);
  return node;
};
