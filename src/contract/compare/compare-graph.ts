/** Compares two documents of JSON-LD as graphs: neither the order of nodes nor that of values counts. */
import { isRecord } from '../../basics/json.ts';
import { compareJson, type JsonComparison } from './compare-json.ts';
import type { Difference } from './difference.ts';
import { translateText } from './translate-text.ts';

type Node = Readonly<Record<string, unknown>>;
type Graph = { readonly isGraph: boolean; readonly nodes: readonly Node[]; readonly rest: Node };

/** What differs below `at`. Nodes of the graph have their place in the target's. */
export const compareGraphs = (
  at: string,
  { target, atoll }: { readonly target: unknown; readonly atoll: unknown },
  comparison: JsonComparison,
): Difference[] => {
  const [theirs, ours] = [graphOf(target), graphOf(atoll)];
  if (theirs === undefined || ours === undefined || theirs.isGraph !== ours.isGraph) {
    return compareJson(at, { target, atoll }, comparison);
  }
  const left = [...ours.nodes];
  const differences = compareJson(at, { target: theirs.rest, atoll: ours.rest }, comparison);
  for (const [index, node] of theirs.nodes.entries()) {
    const counterpart = takeCounterpart(node, left, comparison);
    const place = theirs.isGraph ? `${at}/@graph/${index}` : at;
    if (counterpart === undefined) differences.push({ place, target: node, atoll: undefined });
    else differences.push(...compareNodes(place, node, counterpart, comparison));
  }
  return [...differences, ...left.map((node) => ({ place: `${at}/@graph/-`, target: undefined, atoll: node }))];
};

const graphOf = (value: unknown): Graph | undefined => {
  if (!isRecord(value)) return undefined;
  const { '@graph': graph, ...rest } = value;
  if (graph === undefined) return { isGraph: false, nodes: [value], rest: {} };
  return Array.isArray(graph) && graph.every(isRecord) ? { isGraph: true, nodes: graph, rest } : undefined;
};

/** The node that stands for this one: by its id, or else the first of the same types that nobody stands for yet. */
const takeCounterpart = (node: Node, left: Node[], comparison: JsonComparison): Node | undefined => {
  const id = node['@id'];
  const wanted = typeof id === 'string' ? translateText(id, 'target', comparison) : undefined;
  const neutral = (one: unknown): string => comparison.hosts.neutral(String(one), 'atoll');
  const byId = left.findIndex((one) => one['@id'] === id || neutral(one['@id']) === neutral(wanted));
  const typesOf = (one: Node): string => [one['@type']].flat().map(String).sort().join(' ');
  const at = byId >= 0 ? byId : left.findIndex((one) => typesOf(one) === typesOf(node));
  return at < 0 ? undefined : left.splice(at, 1)[0];
};

const compareNodes = (at: string, target: Node, atoll: Node, comparison: JsonComparison): Difference[] =>
  compareJson(
    at,
    { target: ordered(target, 'target', comparison), atoll: ordered(atoll, 'atoll', comparison) },
    comparison,
  );

/** The values of each property in an order that both sides agree on. */
const ordered = (node: Node, side: 'target' | 'atoll', comparison: JsonComparison): Node => {
  const keyOf = (value: unknown): string => {
    const text = JSON.stringify(value);
    return comparison.hosts.neutral(side === 'target' ? translateText(text, 'target', comparison) : text, 'atoll');
  };
  const sorted = (values: readonly unknown[]): unknown[] =>
    values
      .map((value) => ({ value, key: keyOf(value) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ value }) => value);
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, Array.isArray(value) ? sorted(value) : value]),
  );
};
