/** Reads an OpenAPI overlay from its file, with the files that it refers to. */
import * as v from 'valibot';
import { flawError } from '../../basics/configuration-error.ts';
import type { Overlay, OverlayAction } from '../../core/document/overlay.ts';
import { parseYamlFile } from '../../basics/yaml/read-yaml.ts';
import { inlineFiles } from './referred-files.ts';

const overlayFile = v.object({
  overlay: v.pipe(v.string(), v.regex(/^1\.0(\.\d+)?$/, 'must be 1.0.0')),
  info: v.object({ title: v.string(), version: v.string() }),
  extends: v.exactOptional(v.string()),
  actions: v.pipe(
    v.array(
      v.object({
        target: v.pipe(v.string(), v.startsWith('$', 'must be a JSONPath, which begins with $')),
        description: v.exactOptional(v.string()),
        update: v.exactOptional(v.unknown()),
        remove: v.exactOptional(v.boolean()),
      }),
    ),
    v.minLength(1, 'must hold an action'),
  ),
});

/** Reads an overlay. Throws `ConfigurationError` with file, line, rule and remedy. */
export const readOverlay = async (file: string): Promise<Overlay> => {
  const source = await parseYamlFile(file, 'Name an overlay that is there with --overlay.');
  const result = v.safeParse(overlayFile, source.value);
  if (!result.success) {
    const [issue] = result.issues;
    const keys = (issue.path ?? []).map(({ key }) => key);
    throw flawError({
      ...{ file, line: source.lineOf(keys), rule: 'overlay-form' },
      message: `${keys.join('.')}: ${issue.message}.`,
      remedy: 'Write it as the Overlay Specification 1.0 has it.',
    });
  }
  const actions: OverlayAction[] = [];
  const referred = new Set<string>();
  for (const [index, { target, update, remove = false }] of result.output.actions.entries()) {
    const keys = ['actions', index, 'update'];
    const place = { file, lineOf: source.lineOf, keys, onFile: (path: string) => void referred.add(path) };
    actions.push({ target, update: await inlineFiles(update, place), remove });
  }
  return { file, actions, referredFiles: [...referred], source };
};
