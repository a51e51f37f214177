/** Replaces the names in the steps of a probe, `<name>` or `<name.member>`, by what they stand for at one server. */
import { isRecord } from '../../../basics/json.ts';
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import type { CheckContext } from '../check.ts';
import type { Probe } from './expand.ts';
import type { Thing } from './thing.ts';
import { thingFor } from './things.ts';

export type NamedValues = ReturnType<typeof createNamedValues>;

/** A value is made when a step names it first. */
export const createNamedValues = (probe: Probe, context: CheckContext, who: TargetAccount) => {
  const values = new Map<string, unknown>();
  const thingOf = (name: string): Thing => {
    const words = probe.let[name];
    if (words === undefined) throw new Error(`${probe.name}: nothing says what <${name}> is.`);
    return thingFor(words);
  };
  let made = 0;
  const wordsFor = (name: string): string => {
    made += 1;
    return `${probe.name} ${name} ${who.name} ${made}`;
  };
  const valueOf = async (path: string): Promise<unknown> => {
    const [name = '', ...members] = path.split('.');
    if (!values.has(name)) values.set(name, await thingOf(name).make(context, who, wordsFor(name)));
    return members.reduce((value, member) => (isRecord(value) ? value[member] : undefined), values.get(name));
  };
  /** A text that is a name alone becomes the value itself. */
  const filledText = async (text: string): Promise<unknown> => {
    const [, alone] = /^<([\w .-]+)>$/.exec(text) ?? [];
    if (alone !== undefined) return valueOf(alone);
    let filled = '';
    let end = 0;
    for (const { 0: all, 1: name = '', index } of text.matchAll(/<([\w .-]+)>/g)) {
      filled += text.slice(end, index) + String(await valueOf(name));
      end = index + all.length;
    }
    return filled + text.slice(end);
  };
  const filled = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return filledText(value);
    if (Array.isArray(value)) return Promise.all(value.map(filled));
    if (!isRecord(value)) return value;
    const members = Object.entries(value).map(async ([name, member]) => [name, await filled(member)] as const);
    return Object.fromEntries(await Promise.all(members));
  };
  return {
    /** The value with its names replaced. */
    filled,
    save: (name: string, value: unknown): void => void values.set(name, value),
    /** A request has used it up: the next step that names it gets another one. */
    spend: (name: string): void => {
      const key = thingOf(name).key?.(context, who);
      if (key !== undefined) context.again(key);
      values.delete(name);
    },
  };
};
