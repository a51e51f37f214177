/** Replaces `basics/yaml/yaml-library.ts`. Nothing reads YAML here. YAML is written as JSON, which YAML 1.2 contains. */

type Yaml = { stringify(value: unknown): string };

export const loadYaml = (): Promise<Yaml> =>
  Promise.resolve({ stringify: (value) => `${JSON.stringify(value, null, 2)}\n` });

/** Only the reading of a site's files asks for it, and a prepared site has been read. */
export const loadQuickYaml = (): Promise<never> => Promise.reject(new Error('No YAML is read without Node.'));
