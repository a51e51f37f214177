import type { Browser } from 'playwright-core';

export const wholeChromium: string;
export const chromiumFile: string;
export const launchChromium: (...args: readonly string[]) => Promise<Browser>;
