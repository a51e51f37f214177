/** `compare_documents`: what changed between two documents or sites, or would change in this site, and who it breaks. */
import type { components } from '../../client/generated/control.ts';
import { createModel, type Model, entityTypes, type Site } from '../../repository/repository.ts';
import { choice, list, optional, structure, table, text, whole } from '../shape.ts';
import { type Call, refuseRemote } from '../session/session.ts';
import { defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { changeKinds, judgedParties } from '../../sites/sites-choices.ts';

const input = structure({
  before: optional(
    text(
      'A file (YAML or JSON), the URL of a document or server, the directory of a site, "default" or "starter-site".',
      {
        maxLength: 1000,
      },
    ),
  ),
  after: optional(text('The same.', { maxLength: 1000 })),
  required: optional(
    list(
      text('islandora_object.field_description', { maxLength: 200 }),
      'Alone: compares this site with itself, if it required these fields.',
      { minItems: 1, maxItems: 20 },
    ),
  ),
  for: optional(choice(judgedParties, 'Whose view counts; client when left out.')),
  kinds: optional(list(choice(changeKinds, 'A kind.'), 'breaking and unknown when left out.', { minItems: 1 })),
});

export const compareDocuments = defineTool({
  name: 'compare_documents',
  title: 'Compare documents',
  description:
    'Says what changed between two OpenAPI documents or two sites, who each change breaks, and why. With "required": what would break if this site required a field.',
  hints: { readOnly: true, openWorld: true },
  input,
  output: structure({
    counts: table(whole('How many changes.'), 'Of each kind.'),
    changes: list(
      structure({
        kind: text('breaking, unknown or harmless.'),
        subject: text('The operation, schema, header or scheme.'),
        place: text('Where in the subject.'),
        change: text('What it did.'),
        reason: text('Why it breaks, or does not.'),
      }),
      'The worst first.',
    ),
  }),
  long: 'changes',
  run: async (given, call) => {
    const { for: judgeFor = 'client', kinds = ['breaking', 'unknown'] } = given;
    const { site = [], document } = await compare(given, judgeFor, call);
    call.signal.throwIfAborted();
    const changes = [...site, ...document];
    const count = (kind: (typeof changeKinds)[number]): number => changes.filter((each) => each.kind === kind).length;
    return {
      counts: Object.fromEntries(changeKinds.map((kind) => [kind, count(kind)])),
      changes: changeKinds
        .filter((kind) => kinds.includes(kind))
        .flatMap((kind) => changes.filter((each) => each.kind === kind))
        .map(({ kind, subject, place, change, reason }) => ({ kind, subject, place, change, reason })),
    };
  },
});

type Given = NonNullable<typeof input.sample>;
type JudgedParty = (typeof judgedParties)[number];

const compare = ({ before, after, required }: Given, judgeFor: JudgedParty, call: Call) => {
  if (before !== undefined && after !== undefined && required === undefined)
    return compareBoth([before, after], judgeFor, call);
  if (before === undefined && after === undefined && required !== undefined)
    return compareRequiring(required, judgeFor, call);
  throw new ToolRefusal('It is not clear what to compare.', 'Send "before" and "after", or "required" alone.');
};

const compareBoth = async (names: readonly [string, string], judgeFor: JudgedParty, { options }: Call) => {
  const { compareNamed, sourceKind } = await import('../../sites/sites.ts');
  for (const source of names) {
    refuseRemote(source, options);
    // An error quotes what it cannot read, so other files of this machine are not opened.
    if ((await sourceKind(source)) === 'file' && !/\.(json|ya?ml)$/i.test(source)) {
      throw new ToolRefusal(`${source} is not a document.`, 'Name a file that ends with .yaml, .yml or .json.');
    }
  }
  return compareNamed(names, { limits: { tls: {}, silenceMs: 30_000 }, place: options.locations, judgeFor });
};

type ServedBundle = components['schemas']['ModelBundle'];

/** Compares the site that is served with the same one where these fields are required. */
const compareRequiring = async (names: readonly string[], judgeFor: JudgedParty, call: Call) => {
  const [{ compareChangedSite }, { bundles }] = await Promise.all([
    import('../../sites/sites.ts'),
    call.control(call.server).ask('getModel'),
  ]);
  const fields = names.map((name) => servedField(bundles, name));
  const change = (site: Site): Site => {
    const isServed = bundles.every(({ type, bundle, fields: served }) =>
      served.every(({ name }) => site.model.bundle(type, bundle)?.fields.has(name) === true),
    );
    if (isServed) return { ...site, model: requiring(site.model, fields) };
    throw new ToolRefusal(
      'The server that was joined has another site.',
      'Start atoll mcp with --site, as that server.',
    );
  };
  const sides = ['this site', 'this site with these fields required'] as const;
  return compareChangedSite(call.options.locations, { change, names: sides, judgeFor });
};

type FieldOfBundle = { readonly bundle: ServedBundle; readonly field: string };

/** Throws `ToolRefusal` for a field that the site does not have. */
const servedField = (bundles: readonly ServedBundle[], name: string): FieldOfBundle => {
  const [id, field = ''] = name.split('.');
  const named = bundles.filter(({ bundle }) => bundle === id);
  const bundle = named.find(({ fields }) => fields.some((each) => each.name === field));
  if (bundle !== undefined) return { bundle, field };
  throw new ToolRefusal(
    `The site has no field "${name}".`,
    named.length === 0
      ? 'Write bundle.field; describe_bundle lists the bundles.'
      : `${id} has: ${named.flatMap(({ fields }) => fields.map((each) => each.name)).join(', ')}.`,
  );
};

const requiring = (model: Model, wanted: readonly FieldOfBundle[]): Model =>
  createModel(
    entityTypes.flatMap((type) =>
      model.bundles(type).map((bundle) => ({
        ...bundle,
        fields: new Map(
          [...bundle.fields].map(([name, field]) =>
            wanted.some((each) => each.bundle.type === type && each.bundle.bundle === bundle.id && each.field === name)
              ? [name, { ...field, required: true }]
              : [name, field],
          ),
        ),
      })),
    ),
  );
