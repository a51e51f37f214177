/** Installs the service worker of a demo, and waits until it answers this page. */
import type { PageMessage } from '../service-worker/messages.ts';

/** Why the demo cannot run here, in words for its visitor. */
class CannotInstall extends Error {
  override name = 'CannotInstall';
}

/** The folder of the demo, with a slash at its end. The script that calls it is there. */
export const demoFolder = (scriptUrl: string): URL => new URL('./', scriptUrl);

/** Resolves when the worker is there. Rejects with `CannotInstall`. */
export const installWorker = async (folder: URL): Promise<void> => {
  const container = (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker; // not on every address
  if (container === undefined) {
    throw new CannotInstall(
      'This browser offers no service workers here. They need an address with https, and in some browsers a window that is not private.',
    );
  }
  try {
    await container.register(new URL('service-worker.js', folder), { scope: folder.pathname, updateViaCache: 'none' });
  } catch (cause) {
    throw new CannotInstall(
      `The browser did not install the repository (${cause instanceof Error ? cause.message : String(cause)}).`,
      { cause },
    );
  }
  const { active } = await container.ready;
  // The worker then takes over this page, too, if it was loaded past it.
  active?.postMessage({ atoll: { kind: 'hello' } } satisfies PageMessage);
};

/** Resolves with whether the worker answers the requests of this page. A new worker takes over the pages that are open. */
export const isAnswered = (waitMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const container = navigator.serviceWorker;
    if (container.controller !== null) {
      resolve(true);
      return;
    }
    const timer = setTimeout(() => resolve(container.controller !== null), waitMs);
    container.addEventListener('controllerchange', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
