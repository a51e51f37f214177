/** Defines the part of a service worker's global scope that is used. The types of pages and of workers cannot be loaded together. */

type Extendable = { waitUntil(work: Promise<unknown>): void };

type FetchEvent = Extendable & {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
};

export type MessageEventOfPage = Extendable & { readonly data: unknown; readonly ports: readonly MessagePort[] };

export type WorkerScope = {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  /** Older browsers have none. */
  readonly serviceWorker?: ServiceWorker;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEventOfPage) => void): void;
};
