/** The page of an object in the console, as people use it. Run by `npm run test:suite -- browser`. */
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { parseLinks, readLinkset } from '../../../src/client/client.ts';
import { until } from '../../support/until.ts';
import { actAs, checkLooks, museumSite, pictureWidth, useConsole } from './console-support.ts';

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
const valueOf = (page: Page, label: string): Promise<string> =>
  page
    .locator('.object-fields > div', { has: page.locator('dt', { hasText: label }) })
    .first()
    .locator('dd')
    .innerText();
/** The links of the account before may be shown until those of the present one are there. */
const counted = (page: Page, selector: string, count: number): Promise<void> =>
  until(async () => (await page.locator(selector).count()) === count, `${count} of ${selector}`);
const admin = { authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}` };

describe('The page of an object', () => {
  const run = useConsole();

  it('shows fields by their labels, and leads on by references', async () => {
    const page = await run.open('/entities/node/5');
    await heading(page, 'Fishing fleet at anchor off Gannet Point');
    expect(await valueOf(page, 'Alternative Title')).toBe('Luggers at dusk');
    expect(await valueOf(page, 'Published')).toBe('Yes');
    expect(await valueOf(page, 'Date Created')).toBe('1908-07-14~');
    await page.getByRole('link', { name: 'Quellan, Maren, 1871-1948' }).waitFor();
    await checkLooks(page, 'object');
    await page.getByRole('link', { name: 'Quellan, Maren, 1871-1948' }).click();
    await heading(page, 'Quellan, Maren, 1871-1948');
    await page.goBack();
    await heading(page, 'Fishing fleet at anchor off Gannet Point');
  });

  it('is where the focus goes after a link, is marked in the navigation, and reads in the direction of its title', async () => {
    const page = await run.open('/repository');
    const card = page.getByRole('link', { name: 'منارة رأس الأطيش' });
    await card.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'منارة رأس الأطيش');
    const title = page.getByRole('heading', { level: 1 });
    await title.and(page.locator(':focus')).waitFor();
    await page.locator('h1:dir(rtl)').waitFor();
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]');
    expect(await current.allTextContents()).toEqual(['Repository']);
  });

  it('shows first the picture that a visitor may see, where it is, and three facts', async () => {
    const page = await run.open('/entities/node/5');
    await page.locator('img.lead-picture').waitFor();
    expect(await pictureWidth(page, '.lead-picture')).toBeGreaterThan(300);
    await counted(page, '.lead-facts > div', 3);
    await page.getByText('Kept by the repository (').click();
    expect(await valueOf(page, 'UUID')).toMatch(/^[\da-f-]{36}$/);
    await page
      .getByRole('navigation', { name: 'Where it is' })
      .getByRole('link', { name: 'Quellan Glass Plates' })
      .click();
    await heading(page, 'Quellan Glass Plates');
  });

  it('says who may see a picture that the account may not, and shows it with one button', async () => {
    const bytes = await run.ask('/_flysystem/fedora/2019-03/fleet-at-anchor.png', { headers: admin });
    const upload = { method: 'PUT', body: await bytes.arrayBuffer() };
    const json = { ...admin, 'content-type': 'application/json' };
    const node = {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'Guarded' }],
      field_model: [{ target_id: 24 }],
    };
    const made = await run.ask('/node?_format=json', { method: 'POST', body: JSON.stringify(node), headers: json });
    const { nid } = (await made.json()) as { nid: { value: number }[] }; // the contract says so
    const headers = { ...admin, 'content-type': 'image/png', 'content-location': 'fedora://guarded/a.png' };
    await run.ask(`/node/${nid[0]?.value}/media/image/16?_format=json`, { ...upload, headers });
    const page = await run.open(`/entities/node/${nid[0]?.value}`);
    await page.getByText('It has a picture that you may not see.').waitFor();
    await checkLooks(page, 'object-hidden-picture');
    await page.getByRole('button', { name: /^See it as / }).click();
    await page.locator('img.lead-picture').waitFor();
  });

  it('answers what an unpublished object answers to a visitor, and lets one sign in as another account', async () => {
    const page = await run.open('/entities/node/11');
    const refusal = page.getByRole('alert').filter({ hasText: '401 No authentication credentials provided.' });
    await refusal.waitFor();
    await checkLooks(page, 'object-refused');
    await refusal.getByRole('button', { name: 'Sign in as plain', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: '403' }).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Sign in as admin', exact: true }).click();
    await page.getByText('Waiting for somebody to recognise her hat.').waitFor();
  });

  it('shows the raw HTTP for any account, and the account of the console stays', async () => {
    const page = await run.open('/entities/node/11?tab=wire');
    await actAs(page, 'admin');
    const body = page.getByRole('region', { name: 'The body of the response' });
    await body.getByText('"Unidentified sitter with a dog"').waitFor();
    const curl = page.getByRole('region', { name: 'The request as curl' });
    expect(await curl.innerText()).toContain("curl -i -u 'admin:islandora'");
    await checkLooks(page, 'object-wire');
    await page.getByLabel('Sent by').selectOption('A visitor');
    await body.getByText('No authentication credentials provided.').waitFor();
    expect(await page.locator('.badge', { hasText: '401' }).count()).toBe(1);
    expect(await curl.innerText()).not.toContain('-u');
    await page.getByRole('button', { name: /^Signed in as admin/ }).waitFor();
    await page.getByLabel('Sent by').selectOption('admin');
    await page.getByLabel('Form').selectOption('JSON-LD');
    await body.getByText('"@graph"').waitFor();
    await page.getByRole('region', { name: 'The headers of the response' }).getByText('application/ld+json').waitFor();
    await page.reload();
    await body.getByText('"@graph"').waitFor();
  });

  it('draws every link of the header, and leads by the keyboard from an object to the bytes of its thumbnail', async () => {
    const page = await run.open('/entities/node/5?tab=links');
    await actAs(page, 'admin');
    await page.locator('.graph-target', { hasText: 'Thumbnail Image' }).waitFor();
    const answer = await run.ask('/node/5?_format=json', { headers: admin });
    const links = parseLinks(answer.headers.get('Link'));
    expect(links.length).toBeGreaterThan(10);
    await counted(page, '.graph-edge', links.length);
    await counted(page, '.link-list li', links.length);
    const headers = await page.getByRole('region', { name: 'The Link headers' }).innerText();
    expect(headers.split('\n').filter((line) => line.startsWith('Link: <'))).toHaveLength(links.length);
    await checkLooks(page, 'object-links');
    await page.locator('.graph-target', { hasText: 'Thumbnail Image' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, '5-Thumbnail Image.jpg');
    await page.locator('.graph-edge', { hasText: 'describes' }).locator('text').click();
    const picture = page.getByRole('img', { name: '5-Thumbnail Image.jpg' });
    await picture.waitFor();
    expect(await pictureWidth(page, '.shown-image')).toBeGreaterThan(50);
  });

  it('draws all links of an object whose header cannot hold them', async () => {
    const json = { ...admin, 'content-type': 'application/json' };
    const create = async (path: string, body: object): Promise<Record<string, { value: number }[]>> =>
      (await (await run.ask(path, { method: 'POST', body: JSON.stringify(body), headers: json })).json()) as never; // a new record
    const subjects = await Promise.all(
      Array.from({ length: 70 }, (_, at) =>
        create('/taxonomy/term?_format=json', { vid: [{ target_id: 'subject' }], name: [{ value: `Subject ${at}` }] }),
      ),
    );
    const made = await create('/node?_format=json', {
      ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'Of much' }], field_model: [{ target_id: 24 }] },
      field_subject: subjects.map(({ tid }) => ({ target_id: tid?.[0]?.value })),
    });
    const id = made['nid']?.[0]?.value;
    const page = await run.open(`/entities/node/${id}?tab=links`);
    await page.getByText('there are too many for it').waitFor();
    const asked = await run.ask(`/node/${id}/linkset?_format=json`);
    const links = readLinkset(await asked.json());
    expect(links.length).toBeGreaterThan(70);
    await counted(page, '.graph-edge', links.length);
    await page.locator('.graph-target', { hasText: 'Subject 69' }).waitFor();
    await checkLooks(page, 'object-many-links');
  });

  it('lists members, and leads to the page that makes another', async () => {
    const page = await run.open('/entities/node/2');
    await tab(page, 'Members');
    await page.getByRole('link', { name: 'Fishing fleet at anchor off Gannet Point' }).waitFor();
    await checkLooks(page, 'object-members');
    const create = page.getByRole('link', { name: 'Create a member' });
    expect(await create.getAttribute('href')).toBe(
      '/_atoll/#/create?type=node&bundle=islandora_object&field_member_of=2',
    );
    expect(await page.getByRole('link', { name: 'Readable page' }).getAttribute('href')).toBe(
      `${run.program.url}/node/2`,
    );
  });

  it('says what is not there', async () => {
    const page = await run.open('/entities/node/99999');
    await page.getByText('This world has no “Object 99999”.').waitFor();
    await checkLooks(page, 'object-absent');
    await page.getByRole('link', { name: 'Look through the repository' }).click();
    await heading(page, 'Repository');
  });
});

describe('The page of an object on a site of one’s own', () => {
  const run = useConsole(museumSite);

  it('shows every field of each bundle by its label', async () => {
    const asked = await run.ask('/_atoll/entities?type=node&limit=200');
    const { entities } = (await asked.json()) as { entities: { id: number; bundle: string; title: string }[] };
    for (const bundle of ['artwork', 'exhibit', 'note']) {
      const entity = entities.find((each) => each.bundle === bundle);
      const page = await run.open(`/entities/node/${entity?.id}`);
      await actAs(page, 'admin');
      await heading(page, entity?.title ?? '');
      await page.getByText(`The ${bundle} (${bundle})`).waitFor();
      await checkLooks(page, `object-museum-${bundle}`);
      if (bundle === 'artwork') expect(await valueOf(page, 'Inventory number')).not.toBe('');
    }
  });

  it('shows the bytes of a media with a source field of its own', async () => {
    const asked = await run.ask('/_atoll/entities?type=media&bundle=photo');
    const { entities } = (await asked.json()) as { entities: { id: number }[] };
    const page = await run.open(`/entities/media/${entities[0]?.id}?tab=media`);
    await actAs(page, 'admin');
    await page.locator('img.shown-image').waitFor();
    await checkLooks(page, 'object-museum-photo');
  });
});
