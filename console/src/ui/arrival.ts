/** Moves the focus to the heading of a page that a link has led to, so that a screen reader says where one is. */
import { useEffect, type RefObject } from 'react';

let isAwaited = false;

/** A link leads to another page: its heading takes the focus when it is there. */
export const awaitArrival = (): void => {
  isAwaited = true;
};

/** Gives the heading the focus after a link, and not at the first view, where the browser has it. */
export const useArrival = (heading: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    if (!isAwaited) return;
    isAwaited = false;
    heading.current?.focus({ preventScroll: true });
  }, [heading]);
};
