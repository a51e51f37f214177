/** The generators, a row each: whose commands of the guide make the client, and how its scenario is compiled and run. */

/** Of every scenario, in this order. */
export const steps = ['create', 'read', 'patch', 'upload', 'follow', 'delete', '404', '401', '403'];

const typescript = (name) => ({
  name,
  language: 'TypeScript',
  files: [`${name}.ts`, 'steps.ts', 'tsconfig.json'],
  compile: [
    'npx tsc -p .',
    `npx esbuild ${name}.ts --bundle --platform=node --format=esm --packages=external --outfile=scenario.mjs --log-level=error`,
  ],
  scenario: 'node scenario.mjs',
  otherDocument: { from: 'openapi.json', to: 'openapi-3.0.json' },
});

const generated = { otherDocument: { from: 'openapi-3.0.json', to: 'openapi.json' }, needsJar: true };

const classPath = 'atoll-java/target/classes:atoll-java/target/lib/*';

/**
 * `files` come from `clients/`; `compile` and `scenario` are commands; `otherDocument` says which of the two documents the
 * guide does not use, and the client must be generated from all the same.
 */
export const rows = [
  typescript('openapi-fetch'),
  typescript('hey-api'),
  typescript('orval'),
  { ...typescript('swagger-typescript-api'), otherDocument: { from: 'openapi-3.0.json', to: 'openapi.json' } },
  {
    name: 'openapi-python-client',
    language: 'Python',
    files: ['openapi_python_client.py'],
    compile: ['venv/bin/python -m compileall -q atoll_client openapi_python_client.py'],
    scenario: 'venv/bin/python openapi_python_client.py',
    otherDocument: { from: 'openapi.json', to: 'openapi-3.0.json' },
  },
  {
    name: 'oapi-codegen',
    language: 'Go',
    files: ['oapi-codegen.go'],
    compile: ['go vet .', 'go build -o scenario .'],
    scenario: './scenario',
    otherDocument: { from: 'openapi-3.0.json', to: 'openapi.json' },
  },
  { ...typescript('openapi-generator-typescript-fetch'), ...generated },
  {
    ...generated,
    name: 'openapi-generator-python',
    language: 'Python',
    files: ['scenario.py'],
    compile: ['venv/bin/python -m compileall -q atoll-python/atoll_client scenario.py'],
    scenario: 'venv/bin/python scenario.py',
  },
  {
    ...generated,
    name: 'openapi-generator-java',
    language: 'Java',
    files: ['Scenario.java'],
    compile: [`javac -cp '${classPath}' -d . Scenario.java`],
    scenario: `java -cp '.:${classPath}' Scenario`,
  },
  {
    ...generated,
    name: 'openapi-generator-go',
    language: 'Go',
    files: ['main.go'],
    compile: ['go vet .', 'go build -o scenario .'],
    scenario: './scenario',
  },
];
