/** The page "Interface" of the console, while someone works on an overlay of the document. */
import { describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkLooks, useConsole } from './console-support.ts';

let overlay = '';

const documentOf = (action: string): string => `overlay: 1.0.0
info: { title: A proposal, version: 1.0.0 }
actions:
  - ${action}
`;
const good = documentOf('{ target: $.info, update: { title: The proposal } }');

const run = useConsole(async (folder) => {
  overlay = join(folder, 'proposal.yaml');
  await writeFile(overlay, good);
  return ['--memory', '--overlay', overlay];
});

describe('The page while the overlay changes', () => {
  it('shows by itself that it is broken, where and why, and that it is mended', async () => {
    const page = await run.open('/interface');
    await page.getByText('The files as last read are served.').waitFor();
    await writeFile(overlay, documentOf('{ target: [, update: }'));
    await page.getByText('The last good ones are still served.').waitFor({ timeout: 30_000 });
    const flaw = page.getByRole('region', { name: 'Errors' });
    expect(await flaw.innerText()).toMatch(/proposal\.yaml/);
    await checkLooks(page, 'interface-broken');
    await writeFile(overlay, good.replace('The proposal', 'Another proposal'));
    await page.getByText('The files as last read are served.').waitFor({ timeout: 30_000 });
    expect(await flaw.count()).toBe(0);
    await page.frameLocator('iframe').getByText('Another proposal').first().waitFor();
  });
});
