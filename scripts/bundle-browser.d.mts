import type { BuildOptions, Metafile } from 'esbuild';

/** Bundles modules into a folder, with other modules in place of those that need Node. The keys are the names of the files. */
export function bundleBrowser(
  folder: string,
  entries: Readonly<Record<string, string>>,
  options?: BuildOptions,
): Promise<Metafile>;

/** Bundles the public entries into a folder, with the engine in one file that they share (`engine.js`). */
export function bundleEngine(folder: string): Promise<Metafile>;

/** Bundles the scripts of the pages of `atoll demo` into a folder. */
export function bundleDemo(folder: string): Promise<Metafile>;
