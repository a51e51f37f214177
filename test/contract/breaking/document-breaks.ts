/** What a document takes away from the clients of an earlier one: operations, parameters, bodies, answers, ways to sign in, names. Schemas are compared elsewhere. */
import {
  listOf,
  partOf,
  schemaBreaks,
  type Break,
  type Follow,
  type Part,
  type Place,
  type Side,
} from './schema-breaks.ts';

const methods = ['get', 'head', 'post', 'patch', 'delete', 'put', 'options', 'trace'] as const;

/** Every break, each once, in the order of the earlier document. Both are documents of OpenAPI 3.1 with their references. */
export const documentBreaks = (before: Part, after: Part): Break[] => {
  const [old, now] = [readerOf(before), readerOf(after)];
  const operations = old.operations.flatMap(([where, operation]) => {
    const kept = now.operations.find(([each]) => each === where)?.[1];
    const subject = String(operation['operationId']);
    return kept === undefined ? [{ subject, what: 'is gone' }] : operationBreaks(old, now, operation, kept);
  });
  const found = [...operations, ...nameBreaks(before, after)];
  const keys = found.map(({ subject, what }) => `${subject} ${what}`);
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
};

type Reader = { readonly follow: Follow; readonly operations: readonly (readonly [string, Part])[] };

const readerOf = (document: Part): Reader => {
  const follow: Follow = (value) => {
    const reference = partOf(value)['$ref'];
    if (typeof reference !== 'string') return { name: undefined, schema: partOf(value) };
    const steps = reference.replace(/^#\//, '').split('/');
    const target = steps.reduce<unknown>((place, step) => partOf(place)[step], document);
    return { name: steps.at(-1), schema: partOf(target) };
  };
  const operations = Object.entries(partOf(document['paths'])).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = partOf(item)[method];
      if (operation === undefined) return [];
      const parameters = [...listOf(partOf(item)['parameters']), ...listOf(partOf(operation)['parameters'])];
      return [[`${method} ${path}`, { ...partOf(operation), parameters }] as const];
    }),
  );
  return { follow, operations };
};

const operationBreaks = (old: Reader, now: Reader, before: Part, after: Part): Break[] => {
  const subject = String(before['operationId']);
  const say = (what: string): Break => ({ subject, what });
  return [
    ...(after['operationId'] === subject ? [] : [say(`is called ${String(after['operationId'])} now`)]),
    ...parameterBreaks(old, now, before, after, subject),
    ...bodyBreaks(old, now, before['requestBody'], after['requestBody'], subject),
    ...answerBreaks(old, now, partOf(before['responses']), partOf(after['responses']), subject),
    ...securityBreaks(before, after).map(say),
  ];
};

const sideOf = ({ follow }: Reader, holder: Part): Side => ({ schema: holder['schema'] ?? {}, follow });

const parameterBreaks = (old: Reader, now: Reader, before: Part, after: Part, subject: string): Break[] => {
  const byName = ({ follow }: Reader, operation: Part): Map<string, Part> =>
    new Map(
      listOf(operation['parameters'])
        .map((value) => follow(value).schema)
        .map((each) => [`${String(each['in'])} parameter ${String(each['name'])}`, each]),
    );
  const [had, has] = [byName(old, before), byName(now, after)];
  return [
    ...[...had].flatMap(([name, parameter]) => {
      const kept = has.get(name);
      return kept === undefined
        ? [{ subject, what: `${name} is gone` }]
        : schemaBreaks('sent', sideOf(old, parameter), sideOf(now, kept), { subject, path: name });
    }),
    ...[...has]
      .filter(([name, { required }]) => required === true && had.get(name)?.['required'] !== true)
      .map(([name]) => ({ subject, what: `${name} is demanded now` })),
  ];
};

const bodyBreaks = (old: Reader, now: Reader, before: unknown, after: unknown, subject: string): Break[] => {
  const [had, has] = [old.follow(before).schema, now.follow(after).schema];
  const isNew = has['required'] === true && had['required'] !== true;
  return [
    ...(isNew ? [{ subject, what: 'a body is demanded now' }] : []),
    ...contentBreaks('sent', [old, had], [now, has], { subject, path: 'request' }),
  ];
};

type Holder = readonly [Reader, Part];

const contentBreaks = (direction: 'sent' | 'received', before: Holder, after: Holder, place: Place): Break[] => {
  const [had, has] = [partOf(before[1]['content']), partOf(after[1]['content'])];
  return Object.entries(had).flatMap(([type, media]) => {
    const kept = has[type];
    const path = `${place.path} ${type}`;
    return kept === undefined
      ? [{ subject: place.subject, what: `${path} is gone` }]
      : schemaBreaks(direction, sideOf(before[0], partOf(media)), sideOf(after[0], partOf(kept)), { ...place, path });
  });
};

const answerBreaks = (old: Reader, now: Reader, before: Part, after: Part, subject: string): Break[] =>
  Object.entries(before).flatMap(([status, value]) => {
    if (after[status] === undefined) return [{ subject, what: `the answer ${status} is gone` }];
    const [had, has] = [old.follow(value).schema, now.follow(after[status]).schema];
    return [
      ...contentBreaks('received', [old, had], [now, has], { subject, path: status }),
      ...headerBreaks([old, had], [now, has], { subject, path: status }),
    ];
  });

const headerBreaks = (before: Holder, after: Holder, { subject, path }: Place): Break[] => {
  const [had, has] = [partOf(before[1]['headers']), partOf(after[1]['headers'])];
  return Object.entries(had).flatMap(([name, value]) => {
    const where = `${path} header ${name}`;
    if (has[name] === undefined) return [{ subject, what: `${where} is gone` }];
    const [header, kept] = [before[0].follow(value).schema, after[0].follow(has[name]).schema];
    const isLoose = header['required'] === true && kept['required'] !== true;
    return [
      ...(isLoose ? [{ subject, what: `${where} is not promised any more` }] : []),
      ...schemaBreaks('received', sideOf(before[0], header), sideOf(after[0], kept), { subject, path: where }),
    ];
  });
};

/** Ways to sign in that an operation took and does not take any more; none at all counts as one of them. */
const securityBreaks = (before: Part, after: Part): string[] => {
  const waysOf = ({ security }: Part): string[] => {
    const choices = listOf(security).map((choice) => Object.keys(partOf(choice)).sort().join(' and '));
    return choices.length === 0 ? [''] : choices;
  };
  const ways = waysOf(after);
  return waysOf(before)
    .filter((way) => !ways.includes(way))
    .map((way) => (way === '' ? 'needs credentials now' : `does not take ${way} any more`));
};

/** Names that generated code has: schemas and the schemes of signing in. */
const nameBreaks = (before: Part, after: Part): Break[] =>
  ['schemas', 'securitySchemes'].flatMap((kind) => {
    const [had, has] = [before, after].map((document) => partOf(partOf(document['components'])[kind]));
    return Object.entries(had ?? {}).flatMap(([name, value]) => {
      const kept = has?.[name];
      if (kept === undefined) return [{ subject: name, what: `is gone from ${kind}` }];
      const same = ['type', 'scheme', 'in'].every((word) => partOf(value)[word] === partOf(kept)[word]);
      return kind === 'securitySchemes' && !same ? [{ subject: name, what: 'is another scheme now' }] : [];
    });
  });
