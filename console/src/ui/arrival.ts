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

/**
 * Shows the chosen row of a list, and gives the heading of its details the focus when one of the list's links has led there. Details that come
 * late leave the focus to whatever somebody has turned to, and at the first view the page's own heading is read.
 */
export const useDetailsArrival = (heading: RefObject<HTMLElement | null>, links: string): void => {
  useEffect(() => {
    if (document.activeElement?.matches(links) === true) heading.current?.focus();
    // The rows become narrower and higher next to the details.
    document.querySelector(`${links}[aria-current]`)?.scrollIntoView({ block: 'nearest' });
  }, [heading, links]);
};
