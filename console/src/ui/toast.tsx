/** Short messages at the edge of the window, which screen readers read out. Some can be acted on. */
import { useSyncExternalStore, type ReactElement } from 'react';
import { wordsOf } from '../api/refusal.ts';

type Message = { readonly id: number; readonly text: string; readonly undo?: () => void };

let messages: readonly Message[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const change = (next: readonly Message[]): void => {
  messages = next;
  for (const listener of listeners) listener();
};

/** Milliseconds that a message stays. Nothing is only said here that the user must act on. */
const duration = 6000;
/** Longer, because the button has to be reached. */
const durationWithUndo = 20_000;

/** Milliseconds until it is looked again whether the user is still at the messages. */
const pause = 2000;

/** Not while the pointer or the focus is on them: who needs more time has it (WCAG 2.2.1). */
const expire = (id: number): void => {
  if (document.querySelector('.toasts')?.matches(':hover, :focus-within')) setTimeout(() => expire(id), pause);
  else change(messages.filter((message) => message.id !== id));
};

const show = (message: Omit<Message, 'id'>, stays: number): void => {
  const id = ++lastId;
  change([...messages.filter(({ text }) => text !== message.text), { id, ...message }]);
  setTimeout(() => expire(id), stays);
};

/** Shows a short message, such as "Copied." */
export const say = (text: string): void => show({ text }, duration);

/** Shows what was done, with a button that takes it back. `undo` returns what to say then; a refusal is shown in the server's words. */
export const sayWithUndo = (text: string, undo: () => Promise<string>): void => {
  const act = (): void => {
    change(messages.filter((message) => message.undo !== act));
    // The button goes, and the focus would go with it.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    undo().then(say, (error: unknown) => say(`Not undone: ${wordsOf(error)}`));
  };
  show({ text, undo: act }, durationWithUndo);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where the messages appear. The page has one. */
export const Toasts = (): ReactElement => (
  <div className="toasts" role="status" aria-live="polite">
    {useSyncExternalStore(subscribe, () => messages).map(({ id, text, undo }) => (
      <div key={id} className="toast row">
        <span dir="auto">{text}</span>
        {undo !== undefined && (
          <button type="button" className="button" onClick={undo}>
            Undo
          </button>
        )}
      </div>
    ))}
  </div>
);
