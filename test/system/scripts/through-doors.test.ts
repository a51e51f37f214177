/** What a bundle has in place of the imports of doors. */
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { throughDoors } from '../../../scripts/through-doors.mjs';
import { root } from '../../support/atoll.ts';

const changed = (text: string): string => throughDoors(join(root, 'src/team/team-worlds.ts'), text);

describe('An import of a door', () => {
  it('leads to the files behind it, as a type where it was one', () => {
    expect(changed("import { readExport, type StorageErrorCode } from '../storage/storage-export.ts';\n")).toBe(
      "import { readExport } from '../storage/export/export-directory.ts'; " +
        "import { type StorageErrorCode } from '../storage/store-errors.ts';\n",
    );
    expect(changed("export type { ExportSource } from '../storage/storage-export.ts';")).toBe(
      "export type { ExportSource } from '../storage/export/exported-files.ts';",
    );
  });

  it('keeps a name that the file gave it, and the number of lines', () => {
    const text = "import {\n  readExport as read,\n  isExport,\n} from '../storage/storage-export.ts';\nread();\n";
    expect(changed(text)).toBe(
      "import { readExport as read } from '../storage/export/export-directory.ts'; " +
        "import { isExport } from '../storage/export/export-writer.ts';\n\n\n\nread();\n",
    );
  });

  it('is none where a file of the part itself, a package or a dynamic import is meant', () => {
    const text =
      "import { join } from 'node:path';\nimport { team } from './team-state.ts';\nimport('../storage/storage.ts');\n";
    expect(changed(text)).toBe(text);
  });

  it('of a name that the door does not give is an error with the file', () => {
    expect(() => changed("import { readNothing } from '../storage/storage-export.ts';")).toThrow(
      /team-worlds\.ts: \.\.\/storage\/storage-export\.ts does not export readNothing\./,
    );
  });
});
