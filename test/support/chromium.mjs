/**
 * The Chromium of tests. Debian also packages it without its windows, and so it takes half as long to open a page. The whole browser is
 * for what a profile or a download has a part in, for pictures, and for systems without the other one.
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

export const wholeChromium = '/usr/bin/chromium';
// Debian's command is a script, which would outlive a kill.
const withoutWindows = '/usr/lib/chromium/chromium-headless-shell';

if (!existsSync(wholeChromium)) {
  throw new Error(`${wholeChromium} cannot be found. On Debian: apt-get install chromium`);
}

export const chromiumFile =
  process.env.SUITE !== 'pictures' && existsSync(withoutWindows) ? withoutWindows : wholeChromium;

/** Starts it, with further arguments. */
export const launchChromium = (...args) =>
  chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox', ...args] });
