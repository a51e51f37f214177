/** `find_operations`: the operations of the document that fit some words, or the tool that does what none of them does. */
import { list, optional, structure, text } from '../shape.ts';
import { type DescribedOperation, hasAll, nearest, readServedDocument, stemsOf } from '../session/served-document.ts';
import { defineTool } from '../tool.ts';

/** Tasks that the interface has no operation for: words that ask for them, and what to do. */
const otherTasks: readonly { readonly words: string; readonly how: string }[] = [
  {
    words: 'find search query filter browse',
    how: 'No operation searches. Use the tool entities: "text" finds records by their title, "of" lists members and media of a node.',
  },
  {
    words: 'reset undo restore rollback snapshot fork clean',
    how: 'No operation puts records back. Use the tool worlds: action "reset", "snapshot" or "restore" in a world that you forked.',
  },
  {
    words: 'clock freeze',
    how: 'No operation sets the clock. Use the tool worlds: action "freeze", "advance" or "run" in a world that you forked.',
  },
  {
    words: 'fault fail failure slow timeout latency outage',
    how: 'No operation makes a request fail. Use the tool faults: action "catalogue", then "add" in a world that you forked.',
  },
  {
    words: 'why wrong refused problem debug mistake',
    how: 'No operation says what was wrong. Use the tool last_problems for requests that were sent, or try_request for one now.',
  },
  { words: 'coverage untested', how: 'No operation counts what was met. Use the tool missing_coverage.' },
  { words: 'audit dead broken', how: 'No operation checks links. Use the tool audit_links.' },
  {
    words: 'compare diff breaking required becomes',
    how: 'No operation changes the content model. Use the tool compare_documents: "required" says who is broken when a field becomes required.',
  },
  { words: 'verify conform', how: 'No operation checks a server. Use the tool verify_target.' },
  { words: 'import drupal configuration', how: 'No operation imports a site. Use the tool import_site.' },
];

export const findOperations = defineTool({
  name: 'find_operations',
  title: 'Find operations',
  description:
    'Finds operations of the REST interface by words, such as "upload file media" or "list members", and says where another tool does it. Without words it lists all. Then call explain_operation with an id.',
  hints: { readOnly: true },
  input: structure({ words: optional(text('What the operation should do.', { maxLength: 200 })) }),
  output: structure({
    noOperation: optional(text('What no operation does, and the tool to use.')),
    operations: list(
      structure({
        operation: text('The id, for other tools.'),
        method: text('The method of HTTP.'),
        path: text('The path, with its parameters in braces.'),
        summary: text('What it does.'),
      }),
      'The best first.',
    ),
  }),
  long: 'operations',
  run: async ({ words = '' }, { server }) => {
    const { operations } = await readServedDocument(server);
    const { found, noOperation } = words.trim() === '' ? { found: operations } : fitting(operations, words);
    return {
      noOperation,
      operations: found.map(({ id, method, path, summary }) => ({ operation: id, method, path, summary })),
    };
  },
});

type Found = { readonly found: readonly DescribedOperation[]; readonly noOperation?: string };

/** Where another tool does the task, those operations alone that have all the other words of it. */
const fitting = (operations: readonly DescribedOperation[], words: string): Found => {
  const near = nearest(operations, words).slice(0, 30);
  const wanted = stemsOf(words);
  const task = otherTasks.find((each) => stemsOf(each.words).some((stem) => wanted.includes(stem)));
  if (task !== undefined) {
    const rest = wanted.filter((stem) => !stemsOf(task.words).includes(stem));
    return { noOperation: task.how, found: rest.length === 0 ? [] : near.filter((each) => hasAll(each, rest)) };
  }
  if (near.length > 0) return { found: near };
  return {
    found: [],
    noOperation: 'No operation fits these words. Without words, find_operations lists all that there are.',
  };
};
