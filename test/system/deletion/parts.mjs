/**
 * The parts that can be deleted. `paths` go, files or folders, and of each composing file the `lines` that hold these texts, each of
 * them once. Then what is left type-checks, `tests` pass, the program ends `commands` with this code and text, and a server that it
 * `serves` answers requests.
 */
export const deletions = {
  /** The repository, and all that stands on it: a server of documents alone is left. */
  repository: {
    paths: [
      ...[
        'src/repository',
        'src/application',
        'handlers',
        'src/sites',
        'src/checks',
        'src/cli/repository',
        'bench',
        'test/documents/with-repository',
      ],
      ...['src/cli/sites', 'src/cli/checks', 'src/team', 'src/browser', 'src/cli/browser', 'test/browser'],
      ...['src/mcp', 'src/cli/mcp', 'src/cli/entries/provider-testing.ts'],
      ...['src/cli/launch/provider-testing-module.ts', 'src/cli/launch/verify-entry.ts'],
    ],
    lines: {
      'src/cli/rim.ts': [
        "import('./repository/part.ts')",
        "import('../team/team.ts')",
        ...["import('./sites/part.ts')", "import('./checks/part.ts')", "import('./browser/part.ts')"],
        "import('./mcp/part.ts')",
      ],
      'src/cli/launch/program.ts': ["from './provider-testing-module.ts'"],
      'src/cli/entries/atoll.ts': ['export type { AnyHandler, ', 'export type { AnyRequest, '],
    },
    tests: ['test/openapi', 'test/documents', 'test/storage', 'test/server'],
    commands: [{ args: ['serve', '--port', '0', '--memory'], code: 2, says: 'This program has no repository.' }],
    serves: {
      args: ['--document', 'test/system/deletion/books.yaml'],
      asks: [
        { path: '/books/1', status: 200, says: 'Walden' },
        { method: 'POST', path: '/books', body: { title: 'Emma' }, status: 201, says: 'Emma' },
        { path: '/books/2', status: 200, says: 'Emma' },
        { path: '/books/two', status: 400, says: 'id' },
        { method: 'POST', path: '/_atoll/reset', status: 204, says: '' },
        { path: '/books/2', status: 404, says: '' },
        { path: '/_atoll/traffic?limit=1', status: 200, says: '/books/2' },
      ],
    },
  },
  team: {
    paths: ['src/team'],
    lines: { 'src/cli/rim.ts': ["import('../team/team.ts')"] },
    tests: ['test/cli/serving', 'test/worlds/control.test.ts'],
    commands: [
      {
        args: ['serve', '--port', '0', '--store', 'postgres://atoll@localhost/atoll'],
        code: 2,
        says: 'This Atoll has no database.',
      },
    ],
  },
  sites: {
    paths: ['src/sites', 'src/cli/sites', 'src/mcp/sites'],
    lines: { 'src/cli/rim.ts': ["import('./sites/part.ts')"], 'src/mcp/rim.ts': ["import('./sites/part.ts')"] },
    tests: ['test/cli/options/start-options.test.ts'],
    commands: [
      {
        args: ['serve', '--port', '0', '--memory', '--drupal-config', 'data/site'],
        code: 2,
        says: 'This Atoll imports no configuration.',
      },
      { args: ['diff', 'default', 'starter-site'], code: 2, says: "unknown command 'diff'" },
    ],
  },
  checks: {
    paths: [
      ...['src/checks', 'src/cli/checks', 'src/mcp/checks', 'src/cli/entries/provider-testing.ts'],
      ...['src/cli/launch/provider-testing-module.ts', 'src/cli/launch/verify-entry.ts'],
    ],
    lines: {
      'src/cli/rim.ts': ["import('./checks/part.ts')"],
      'src/mcp/rim.ts': ["import('./checks/part.ts')"],
      'src/cli/launch/program.ts': ["from './provider-testing-module.ts'"],
    },
    tests: ['test/cli/serve.test.ts'],
    commands: [
      { args: ['verify', '--target', 'http://localhost:1'], code: 2, says: "unknown command 'verify'" },
      { args: ['serve', '--replay', 'recording'], code: 2, says: 'This Atoll makes nothing of recordings' },
    ],
  },
  browser: {
    paths: ['src/browser', 'src/cli/browser', 'test/browser'],
    lines: { 'src/cli/rim.ts': ["import('./browser/part.ts')"] },
    tests: ['test/cli/options.test.ts'],
    commands: [{ args: ['demo', '--out', 'demo'], code: 2, says: "unknown command 'demo'" }],
  },
  mcp: {
    paths: ['src/mcp', 'src/cli/mcp'],
    lines: { 'src/cli/rim.ts': ["import('./mcp/part.ts')"] },
    tests: ['test/cli/options.test.ts'],
    commands: [{ args: ['mcp'], code: 2, says: "unknown command 'mcp'" }],
  },
};
