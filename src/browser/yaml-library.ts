/** Replaces `basics/yaml/yaml-library.ts`. Nothing reads YAML here. YAML is written as JSON, which YAML 1.2 contains. */

type Yaml = { stringify(value: unknown): string };

export const loadYaml = (): Promise<Yaml> =>
  Promise.resolve({ stringify: (value) => `${JSON.stringify(value, null, 2)}\n` });
