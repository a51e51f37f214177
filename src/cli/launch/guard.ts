/**
 * The entry of the executable: refuses an old Node in plain words, then loads `cli/launch/launch.ts`. Old versions must be able to read this
 * file, so it has no static import and only old syntax.
 */

/** As `engines` of package.json has it: major and minor. */
const least = [20, 20] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(
    `atoll: Node ${process.versions.node} is too old. Run Node ${least.join('.')} or a later one.\n`,
  );
  process.exitCode = 2;
} else {
  void import('./launch.ts');
}
