/** Writes a demo as its command does, from built files that the caller names. */
import { demoFiles, type BuiltFolders, type DemoFile } from '../../../src/cli/browser/demo-files.ts';
import { writeDemoFolder } from '../../../src/cli/browser/demo-folder.ts';
import type { SiteParts } from '../../../src/browser/browser.ts';

export type { DemoFile };

/** Returns the files that are in the folder then. */
export const writtenDemo = async (
  folder: string,
  parts: SiteParts,
  built: BuiltFolders,
): Promise<readonly DemoFile[]> => {
  const files = await demoFiles(parts, built);
  await writeDemoFolder(folder, files, {});
  return files;
};
