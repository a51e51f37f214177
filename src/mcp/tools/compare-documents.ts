/** `compare_documents`: what changed between two documents or sites, and who it breaks. */
import { choice, list, optional, structure, table, text, whole } from '../shape.ts';
import { refuseRemote } from '../session/session.ts';
import { defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { changeKinds, judgedParties, type DocumentChange } from '../../sites/document-diff/document-change.ts';

const name =
  'A file (YAML or JSON), the URL of a document or of a running server, the directory of a site, "default" or "starter-site".';

export const compareDocuments = defineTool({
  name: 'compare_documents',
  title: 'Compare documents',
  description: 'Says what changed between two OpenAPI documents or two sites, who each change breaks, and why.',
  hints: { readOnly: true, openWorld: true },
  input: structure({
    before: text(name, { maxLength: 1000 }),
    after: text(name, { maxLength: 1000 }),
    for: optional(choice(judgedParties, 'Whose view counts; client when left out.')),
    kinds: optional(
      list(choice(changeKinds, 'A kind.'), 'Only changes of these kinds; breaking and unknown when left out.', {
        minItems: 1,
      }),
    ),
  }),
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
  run: async ({ before, after, for: judgeFor = 'client', kinds = ['breaking', 'unknown'] }, { options, signal }) => {
    const [{ compareSources }, { readCompared, sourceKind }] = await Promise.all([
      import('../../sites/document-diff/diff-report.ts'),
      import('../../checks/target/compared-source.ts'),
    ]);
    for (const source of [before, after]) {
      refuseRemote(source, options);
      // An error quotes what it cannot read, so other files of this machine are not opened.
      if ((await sourceKind(source)) === 'file' && !/\.(json|ya?ml)$/i.test(source)) {
        throw new ToolRefusal(`${source} is not a document.`, 'Name a file that ends with .yaml, .yml or .json.');
      }
    }
    const limits = { tls: {}, silenceMs: 30_000 };
    const [old, now] = await readCompared([before, after], { limits, place: options.locations });
    const report = compareSources({ ...old, name: before }, { ...now, name: after }, judgeFor);
    signal.throwIfAborted();
    const changes = [...(report.site ?? []), ...report.document];
    const count = (kind: DocumentChange['kind']): number => changes.filter((each) => each.kind === kind).length;
    return {
      counts: Object.fromEntries(changeKinds.map((kind) => [kind, count(kind)])),
      changes: changeKinds
        .filter((kind) => kinds.includes(kind))
        .flatMap((kind) => changes.filter((each) => each.kind === kind))
        .map(({ kind, subject, place, change, reason }) => ({ kind, subject, place, change, reason })),
    };
  },
});
