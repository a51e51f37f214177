/** The file of the control token: what it is refused for. Named tokens and a running program are in `control-tokens.process.ts`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';

jest.setTimeout(120_000);

it('the file of the token is refused in one line that does not tell the token', () =>
  withDirectory(async (directory) => {
    const file = join(directory, 'token');
    const refused = async (...args: string[]): Promise<string> => {
      const { code, error } = await runHere(['serve', '--memory', '--port', '0', ...args], { environment: {} });
      expect(code).toBe(2);
      expect(error.trim().split('\n')).toHaveLength(1);
      return error;
    };
    expect(await refused('--control-token-file', file)).toContain(`--control-token-file ${file}: `);
    await writeFile(file, 'two words of it');
    const words = await refused('--control-token-file', file);
    expect(words).toContain('A control token has 8 to 256 printable characters without blanks.');
    expect(words).not.toContain('two words');
    expect(await refused('--control-token-file', file, '--control-token', 'let-me-in')).toContain(
      'Leave out one of them',
    );
    expect(await refused('--control-rate', '0')).toContain('from 1 to 999999');
    const byEnvironment = await runHere(['serve', '--memory', '--port', '0'], {
      environment: { ATOLL_CONTROL_TOKEN_FILE: file },
    });
    expect([byEnvironment.code, byEnvironment.error]).toEqual([2, expect.stringContaining('ATOLL_CONTROL_TOKEN_FILE')]);
  }));
