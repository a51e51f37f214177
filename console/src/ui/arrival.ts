/** Moves the focus to the heading of a page that a link has led to, so that a screen reader says where one is. */
import { useEffect, type RefObject } from 'react';

/** What had the focus when a link was followed, while the heading of its page is awaited. */
let before: Element | null | undefined;

/** A link leads to another page: its heading takes the focus when it is there. */
export const awaitArrival = (): void => {
  before = document.activeElement;
};

/**
 * Gives the heading the focus after a link, and not at the first view, where the browser has it. A page can come late: what
 * somebody has turned to meanwhile, as an open menu, keeps the focus.
 */
export const useArrival = (heading: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const from = before;
    before = undefined;
    const now = document.activeElement;
    if (from !== undefined && (now === from || now === document.body)) heading.current?.focus({ preventScroll: true });
  }, [heading]);
};
