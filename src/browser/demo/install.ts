/** The script of the page for people who open an address of the repository first: installs the worker, and opens the page again. */
import { demoFolder, installWorker, isAnswered } from './install-worker.ts';

/** Where reloads are noted, so that a page that no worker answers is not loaded for ever. */
const place = 'atoll.demo.reloads';
const mostReloads = 3;
const withinMs = 10_000;

const say = (text: string): void => {
  const state = document.getElementById('state');
  if (state !== null) state.textContent = text;
};

const begin = async (): Promise<void> => {
  await installWorker(demoFolder(import.meta.url));
  await isAnswered(mostForWorkerMs);
  const reloads = (JSON.parse(sessionStorage.getItem(place) ?? '[]') as number[]) // this function wrote it
    .filter((time) => Date.now() - time < withinMs);
  sessionStorage.setItem(place, JSON.stringify([...reloads, Date.now()]));
  if (reloads.length < mostReloads) {
    location.reload();
    return;
  }
  say('The repository is ready, but this page was loaded without it.');
  document.getElementById('again')?.removeAttribute('hidden');
};

/** A worker that was there already answers at once. */
const mostForWorkerMs = 30_000;

begin().catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
