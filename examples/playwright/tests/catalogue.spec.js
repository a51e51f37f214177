/** The page in Chromium, in parallel: every test changes the same record, each in its own world. */
import { expect, test } from './world.js';

const open = (page, repository) => page.goto(`/?repository=${encodeURIComponent(repository)}`);

const logIn = async (page, name, password) => {
  await page.getByPlaceholder('Name').fill(name);
  await page.getByPlaceholder('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
};

const retitle = async (page, title) => {
  await logIn(page, 'editor', 'editor');
  await expect(page.getByRole('status')).toHaveText('Logged in as editor');
  await page.getByPlaceholder('New title').fill(title);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toHaveText('Saved');
  await expect(page.locator('#title')).toHaveText(title);
};

const original = 'Saltmarsh Quay Local History Archive';

for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
  test(`title ${number} is changed, and no other test sees it`, async ({ page, world }) => {
    await open(page, world.url);
    await expect(page.locator('#title')).toHaveText(original);
    await retitle(page, `Title ${number}`);
    await page.reload();
    await expect(page.locator('#title')).toHaveText(`Title ${number}`);
    const { total } = await world.traffic({ operation: 'updateNode' });
    expect(total).toBe(1);
  });
}

test('the page can read the links of another origin, and they stay in the world', async ({ page, world }) => {
  await open(page, world.url);
  await expect(page.locator('#links li').first()).toHaveText(`${world.url}/node/1`);
});

test('a world can be met by its host', async ({ page, world, baseURL }) => {
  // The session's cookie is sent within one site only: page and server have the world's name in common.
  const host = `${world.name}.localhost`;
  const from = `http://${host}:${new URL(baseURL).port}/`;
  const repository = `http://${host}:${new URL(world.url).port}`;
  await page.goto(`${from}?repository=${encodeURIComponent(repository)}`);
  await retitle(page, 'By host');
  expect((await world.traffic({ operation: 'updateNode', status: '200' })).total).toBe(1);
});

test('a world can be met by a cookie', async ({ page, context, world }) => {
  const server = new URL(world.url).origin;
  await context.addCookies([{ name: 'atoll_world', value: world.name, url: server }]);
  await open(page, server);
  await retitle(page, 'By cookie');
  expect((await world.traffic({ operation: 'updateNode', status: '200' })).total).toBe(1);
});

test('a wrong password is told to the reader', async ({ page, world }) => {
  await open(page, world.url);
  await logIn(page, 'editor', 'wrong');
  await expect(page.getByRole('status')).toContainText('unrecognized username or password');
});

test('a reader who may not change it is told so', async ({ page, world }) => {
  await open(page, world.url);
  await logIn(page, 'viewer', 'viewer');
  await page.getByPlaceholder('New title').fill('No');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText('permission is required');
  await expect(page.locator('#title')).toHaveText(original);
});
