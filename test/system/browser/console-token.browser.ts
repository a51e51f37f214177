/** The console of a server with a control token, in headless Chromium. Run by `npm run test:suite -- browser`. */
import { expect, it } from '@jest/globals';
import { checkLooks, useConsole } from './console-support.ts';

const token = 'a-secret-of-this-test';
const run = useConsole(() => Promise.resolve(['--memory', '--control-token', token]));

it('asks for the token once, in the words of the server, and works with it', async () => {
  const page = await run.open('/worlds');
  await checkLooks(page, 'token');
  await page.getByLabel('Control token').fill('not this');
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('alert').getByText('The control token is not the right one.').waitFor();
  await page.getByLabel('Control token').fill(token);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { name: 'Worlds' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText(/^The world "w1" is there/).waitFor();
  expect(await page.evaluate('localStorage.length')).toBe(0);
});

it('with a named token that may only read shows everything, and says in the words of the server what it may not do', async () => {
  const made = await fetch(`${run.program.url}/_atoll/tokens`, {
    method: 'POST',
    headers: { 'Atoll-Control': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'reader', right: 'read' }),
  });
  const { secret } = (await made.json()) as { secret: string };
  const page = await run.open('/worlds');
  await page.getByLabel('Control token').fill(secret);
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.getByRole('heading', { name: 'Worlds' }).waitFor();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByText('This needs the right "worlds" or "everything".').first().waitFor();
  await page.getByRole('heading', { name: 'Worlds' }).waitFor();
});
