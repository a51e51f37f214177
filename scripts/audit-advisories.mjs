/**
 * Asks the registry for known advisories on the libraries whose code the package holds: `node scripts/audit-advisories.mjs`. Ends with 0
 * when there are none, with 1 when there are some, and with 2 when the registry gave no answer and so nothing was checked.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const isWindows = process.platform === 'win32';

/** npm's answer as JSON, whatever its exit code is. */
const ask = () =>
  new Promise((resolve) => {
    const options = {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      shell: isWindows,
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(
      'npm',
      ['audit', '--omit=dev', '--json', ...process.argv.slice(2)],
      options,
      (_error, output, warnings) => {
        try {
          resolve(JSON.parse(output));
        } catch {
          resolve({ message: warnings.trim() });
        }
      },
    );
  });

const print = (line) => process.stdout.write(`${line}\n`);

const { vulnerabilities, metadata, message, error } = await ask();
if (vulnerabilities === undefined) {
  const reason = message ?? error?.summary ?? 'it gave no reason';
  print('Not checked: the registry does not answer questions for advisories.');
  print(`It said: ${reason.replaceAll(/https?:\/\/\S+/g, 'the registry').split('\n')[0]}`);
  process.exitCode = 2;
} else {
  const found = Object.values(vulnerabilities);
  for (const { name, severity, range, via } of found) {
    const titles = via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} (${each.url})`));
    print(`${severity}: ${name} ${range}: ${titles.join('; ')}`);
  }
  print(`Checked ${metadata.dependencies.prod} libraries: ${found.length} with advisories.`);
  if (found.length > 0) process.exitCode = 1;
}
