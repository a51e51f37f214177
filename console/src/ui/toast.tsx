/** Short messages at the edge of the window, which screen readers read out. */
import { useSyncExternalStore, type ReactElement } from 'react';

type Message = { readonly id: number; readonly text: string };

let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const change = (next: readonly Message[]): void => {
  messages = next;
  for (const listener of listeners) listener();
};

/** Milliseconds that a message stays. Nothing is only said here that the user must act on. */
const duration = 6000;

/** Shows a short message, such as "Copied." */
export const say = (text: string): void => {
  const id = ++lastId;
  change([...messages.filter((message) => message.text !== text), { id, text }]);
  setTimeout(() => change(messages.filter((message) => message.id !== id)), duration);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where the messages appear. The page has one. */
export const Toasts = (): ReactElement => (
  <div className="toasts" role="status" aria-live="polite">
    {useSyncExternalStore(subscribe, () => messages).map(({ id, text }) => (
      <div key={id} className="toast">
        {text}
      </div>
    ))}
  </div>
);
