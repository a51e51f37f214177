/**
 * The parts that can be deleted. `paths` go, files or folders, and of each composing file the `lines` that hold these texts, each of
 * them once. Then what is left type-checks, `tests` pass, and the program ends `commands` with this code and text.
 */
export const deletions = {
  team: {
    paths: ['src/team'],
    lines: { 'src/cli/rim.ts': ["import('../team/team.ts')"] },
    tests: [
      'test/access/sessions.test.ts',
      'test/cli/serving',
      'test/coverage/coverage.test.ts',
      'test/faults/rules.test.ts',
      'test/traffic/traffic.test.ts',
      'test/worlds/control.test.ts',
    ],
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
    tests: [
      'test/cli/links-audit.test.ts',
      'test/cli/start-options.test.ts',
      'test/library/library.test.ts',
      'test/mcp/stream-transport.test.ts',
      'test/proxy/passing.test.ts',
      'test/site/starter-site.test.ts',
    ],
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
    tests: [
      'test/cli/archives.test.ts',
      'test/cli/diff.test.ts',
      'test/cli/serve.test.ts',
      'test/cli/site-import.test.ts',
      'test/mcp/stream-transport.test.ts',
      'test/worlds/control.test.ts',
    ],
    commands: [
      { args: ['verify', '--target', 'http://localhost:1'], code: 2, says: "unknown command 'verify'" },
      { args: ['serve', '--replay', 'recording'], code: 2, says: 'This Atoll makes nothing of recordings' },
    ],
  },
  browser: {
    paths: ['src/browser', 'src/cli/browser', 'test/browser'],
    lines: { 'src/cli/rim.ts': ["import('./browser/part.ts')"] },
    tests: [
      'test/cli/options.test.ts',
      'test/control/console-page.test.ts',
      'test/http/cors.test.ts',
      'test/library/fetch.test.ts',
      'test/server/prepared-sources.test.ts',
    ],
    commands: [{ args: ['demo', '--out', 'demo'], code: 2, says: "unknown command 'demo'" }],
  },
  mcp: {
    paths: ['src/mcp', 'src/cli/mcp'],
    lines: { 'src/cli/rim.ts': ["import('./mcp/part.ts')"] },
    tests: ['test/cli/options.test.ts', 'test/guides', 'test/library/library.test.ts'],
    commands: [{ args: ['mcp'], code: 2, says: "unknown command 'mcp'" }],
  },
};
