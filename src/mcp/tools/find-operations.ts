/** `find_operations`: the operations of the document that fit some words. */
import { list, optional, structure, text } from '../shape.ts';
import { nearest, readServedDocument } from '../session/served-document.ts';
import { defineTool } from '../tool.ts';

export const findOperations = defineTool({
  name: 'find_operations',
  title: 'Find operations',
  description:
    'Finds operations of the REST interface by words, such as "upload file media" or "list members". Without words it lists all. Then call explain_operation with an id.',
  hints: { readOnly: true },
  input: structure({ words: optional(text('What the operation should do.', { maxLength: 200 })) }),
  output: structure({
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
    const found = words.trim() === '' ? operations : nearest(operations, words).slice(0, 30);
    return { operations: found.map(({ id, method, path, summary }) => ({ operation: id, method, path, summary })) };
  },
});
