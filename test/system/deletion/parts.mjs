/**
 * The parts that can be deleted. `paths` go, files or folders, and of each composing file the `lines` that hold these texts, each of
 * them once. Then those `projects` type-check that had a file of it, `tests` pass, and the program ends `commands` with this code and
 * text.
 */
export const deletions = {
  team: {
    paths: ['src/team'],
    lines: { 'src/cli/rim.ts': ["import('../team/team.ts')"] },
    projects: ['.', 'console', 'test/browser'],
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
};
