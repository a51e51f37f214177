/** The log of the program, in its readable form. */
import { expect, it } from '@jest/globals';
import { run, startProgram } from '../../support/program.ts';

it('The program logs readable lines where it is told to, is ready, and ends with 0', async () => {
  const program = await startProgram(['--memory', '--log-format', 'pretty']);
  expect(await run(['ready', '--url', program.url])).toMatchObject({ code: 0, out: 'ready\n' });
  expect(await program.stop()).toBe(0);
  expect(program.log()).toMatch(/^\d\d:\d\d:\d\d info {2}stopping: open requests are finished first$/m);
  expect(await run(['ready', '--url', program.url])).toMatchObject({
    code: 2,
    error: expect.stringContaining('Nobody answers'),
  });
}, 60_000);
