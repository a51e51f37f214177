/** The script of the demo's first page: installs the repository, shows what it holds, and exports, imports and resets it. */
import { parsedJson } from '../../basics/json.ts';
import { valueAt } from '../../basics/json-pointer.ts';
import type { components } from '../../client/generated/control.ts';
import { readRoom } from '../persistence/storage-quota.ts';
import { demoFolder, installWorker, isAnswered } from './install-worker.ts';

type RepositoryFacts = components['schemas']['Repository'];

const folder = demoFolder(import.meta.url);
const repository = new URL('repo', folder).href;
const archive = new URL('repository.tar', folder).href;

const byId = <E extends HTMLElement>(id: string, type: new () => E): E => {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${id}.`);
};

const state = byId('state', HTMLElement);
const file = byId('archive', HTMLInputElement);
const sure = byId('sure', HTMLDialogElement);
const buttons = ['export', 'import', 'again'].map((id) => byId(id, HTMLButtonElement));

const say = (text: string, kind: 'busy' | 'ready' | 'failed'): void => {
  state.textContent = text;
  state.dataset['kind'] = kind;
};

/** The answer of the worker. Throws its words for a refusal. */
const ask = async (address: string, init?: RequestInit): Promise<Response> => {
  const response = await fetch(address, init);
  if (response.ok) return response;
  const text = await response.text();
  throw new Error(messageIn(text) ?? `HTTP ${response.status}`);
};

const messageIn = (text: string): string | undefined => {
  const message = valueAt(parsedJson(text), ['message']);
  return typeof message === 'string' ? message : undefined;
};

const readFacts = async (): Promise<RepositoryFacts> =>
  (await (await ask(`${repository}/_atoll/repository`)).json()) as RepositoryFacts; // the control document says so

const showFacts = async (before: string): Promise<void> => {
  const facts = await readFacts();
  showEntries(facts);
  showAccounts(facts);
  const { node = 0, media = 0, file: files = 0 } = facts.counts as Partial<Record<string, number>>; // by type of entity
  const { used } = await readRoom();
  const room = used === undefined ? '' : ` This site keeps ${(used / 1e6).toFixed(1)} MB in your browser.`;
  say(`${before} It holds ${node} objects, ${media} media and ${files} files.${room}`, 'ready');
};

/** Leads to the pages for people, which have the same addresses without a format. */
const showEntries = ({ entryPoints }: RepositoryFacts): void => {
  const rows = entryPoints.map(({ title, url }) => {
    const link = document.createElement('a');
    link.href = url.replace(/\?.*$/, '');
    link.textContent = title;
    const row = document.createElement('li');
    row.append(link);
    return row;
  });
  byId('entry-list', HTMLUListElement).replaceChildren(...rows);
  byId('entries', HTMLElement).hidden = rows.length === 0;
};

const showAccounts = ({ accounts }: RepositoryFacts): void => {
  const rows = accounts.flatMap(({ name, password, roles, blocked }) => {
    if (typeof password !== 'string') return [];
    const labels = roles.map(({ label }) => label).join(', ');
    const held = blocked ? 'blocked: it is refused' : labels === '' ? 'none of its own' : labels;
    const row = document.createElement('tr');
    row.append(cell('th', name), cell('td', password), cell('td', held));
    return [row];
  });
  byId('account-rows', HTMLTableSectionElement).replaceChildren(...rows);
  byId('accounts', HTMLElement).hidden = rows.length === 0;
};

const cell = (kind: 'th' | 'td', text: string): HTMLTableCellElement => {
  const made = document.createElement(kind);
  if (kind === 'th') made.scope = 'row';
  made.textContent = text;
  return made;
};

/** One at a time: the page says what is done, and then what came of it. */
const act = async (busy: string, work: () => Promise<string>): Promise<void> => {
  for (const button of buttons) button.disabled = true;
  say(busy, 'busy');
  try {
    await showFacts(await work());
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'failed');
  }
  for (const button of buttons) button.disabled = false;
};

const exportAll = async (): Promise<string> => {
  const bytes = await (await ask(archive)).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = `repository-${new Date().toISOString().slice(0, 10)}.tar`;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return `The repository is exported: ${(bytes.size / 1e6).toFixed(1)} MB.`;
};

const importAll = async (): Promise<string> => {
  const [chosen] = file.files ?? [];
  if (chosen === undefined) throw new Error('Choose a file first.');
  await ask(archive, { method: 'PUT', headers: { 'Content-Type': 'application/x-tar' }, body: chosen });
  file.value = '';
  return 'The file is imported.';
};

const startAgain = async (): Promise<string> => {
  await ask(archive, { method: 'DELETE' });
  return 'The repository is as it was at the beginning.';
};

const begin = async (): Promise<string> => {
  await installWorker(folder);
  if (!(await isAnswered(30_000))) throw new Error('This page was loaded without the repository. Load it again.');
  return 'The repository is ready.';
};

byId('address', HTMLElement).textContent = `${repository}/`;
byId('export', HTMLButtonElement).addEventListener('click', () => void act('Everything is gathered …', exportAll));
byId('import', HTMLButtonElement).addEventListener('click', () => void act('The file is read …', importAll));
byId('again', HTMLButtonElement).addEventListener('click', () => sure.showModal());
sure.addEventListener('close', () => {
  if (sure.returnValue === 'yes') void act('The repository starts again …', startAgain);
  sure.returnValue = '';
});
file.disabled = false;
void act('The repository is being made ready …', begin);
