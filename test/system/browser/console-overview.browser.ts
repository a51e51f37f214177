/** The frame, the overview and the accounts of the console in headless Chromium. Run by `npm run test:suite -- browser`. */
import { describe, expect, it } from '@jest/globals';
import { accountButton, actAs, checkLooks, useConsole } from './console-support.ts';

const run = useConsole();

describe('the overview', () => {
  it('shows the address, the state and the accounts, and looks right', async () => {
    const page = await run.open('/');
    await page.getByRole('heading', { level: 1, name: 'Atoll' }).or(page.locator('h1')).first().waitFor();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(await page.locator('main').innerText()).toContain(run.program.url);
    await page.getByText('In memory. Everything ends with the process.').waitFor();
    const agents = await page.getByRole('link', { name: 'llms.txt' }).getAttribute('href');
    expect(agents).toBe(`${run.program.url}/llms.txt`);
    await page.locator('.picture-strip img').nth(7).waitFor();
    await checkLooks(page, 'overview');
  });

  it('leads a browser from the root of the server to the console', async () => {
    await run.page.goto(`${run.program.url}/`);
    await run.page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(new URL(run.page.url()).pathname).toBe('/_atoll/');
  });

  it.each(['password', 'token', 'session'])('signs in as an account with a %s, and out', async (scheme) => {
    const page = await run.open('/');
    await page.getByRole('button', { name: `Sign in as viewer with a ${scheme}`, exact: true }).click();
    await page.getByRole('button', { name: `Signed in as viewer, ${scheme}` }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: `Signed in as viewer, ${scheme}` }).waitFor();
    // The list of media is for accounts that may view media.
    await page.goto(`${run.program.url}/_atoll/#/entities/media/1`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await actAs(page, 'visitor');
    await page.locator('.toast').getByText('You are signed out.').waitFor();
    const cookies = await run.context.cookies();
    expect(cookies.filter(({ name }) => /^S?SESS/.test(name))).toEqual([]);
  });

  it('says that a session has ended, opens no dialog of the browser, and begins another with one button', async () => {
    const page = await run.open('/');
    await page.getByRole('button', { name: 'Sign in as editor with a session', exact: true }).click();
    await page.getByRole('button', { name: 'Signed in as editor, session' }).waitFor();
    await run.ask('/_atoll/reset', { method: 'POST' });
    // The cookie of a session that is over is refused once (403) and goes, with this response or with one before it.
    const refused = page.waitForResponse((response) => [401, 403].includes(response.status()));
    await page.goto(`${run.program.url}/_atoll/#/entities/media/1`);
    expect((await refused).headers()).not.toHaveProperty('www-authenticate');
    const ended = page.getByRole('alert').filter({ hasText: 'Your session has ended.' });
    await ended.waitFor();
    await page.getByText('A visitor gets this response for this object as JSON.').waitFor();
    const asVisitor = await page.evaluate(async () => {
      const response = await fetch('/media/1?_format=json');
      return [response.status, response.headers.get('www-authenticate')];
    });
    expect(asVisitor).toEqual([401, null]);
    await checkLooks(page, 'session-ended');
    await ended.getByRole('button', { name: 'Sign in as editor again' }).click();
    await page.locator('.object-fields').first().waitFor();
    await ended.waitFor({ state: 'detached' });
  });

  it('shows pictures of the repository, and signs in with one click', async () => {
    const page = await run.open('/');
    await page.locator('.picture-strip img').nth(7).waitFor();
    await page.getByRole('group', { name: 'Sign in as' }).getByRole('button', { name: 'editor' }).click();
    await page.getByRole('button', { name: 'Signed in as editor, password' }).waitFor();
    await page.locator('.picture-strip a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Fishing fleet at anchor off Gannet Point' }).waitFor();
  });

  it('tells the words of the server when a password is wrong', async () => {
    const page = await run.open('/');
    await page.getByRole('button', { name: accountButton }).click();
    await page.getByRole('menuitem', { name: /^Another account/ }).click();
    await page.getByLabel('Name').fill('viewer');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByLabel('once, for a session cookie').check();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Sorry, unrecognized username or password.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows code for the account that asks', async () => {
    const page = await run.open('/');
    await actAs(page, 'editor');
    await page.getByText("curl -i -u 'editor:editor'").waitFor();
    await page.getByRole('tab', { name: 'client' }).click();
    await page.getByText('basic("editor", "editor")').waitFor();
  });
});

describe('the keys', () => {
  it('open pages and the list of keys, and lead to the search', async () => {
    const page = await run.open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('heading', { level: 1, name: 'Faults' }).waitFor();
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
  });

  it('lead from the top of the page to its content', async () => {
    const page = await run.open('/faults');
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to the content' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});

describe('a server that has another name', () => {
  it('is asked at the name at which the console was opened', async () => {
    const { page } = run;
    await page.goto(`${run.program.url.replace('localhost', '127.0.0.1')}/_atoll/#/repository?view=grid`);
    await page.locator('.object-card img').first().waitFor();
    await page.goto(`${run.program.url.replace('localhost', '127.0.0.1')}/_atoll/#/entities/node/5?tab=links`);
    await page
      .getByRole('link', { name: /^Quellan Glass Plates/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Quellan Glass Plates' }).waitFor();
  });
});

describe('a server that has stopped', () => {
  it('leaves the frame in its place, and the page can be tried again', async () => {
    const page = await run.open('/');
    await run.context.setOffline(true);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await run.context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Worlds', level: 1 }).waitFor();
  });
});

describe('an address without a page', () => {
  it('says so and leads to the overview', async () => {
    const page = await run.open('/nowhere');
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });
});
