/** Reads the document of the last release out of the history of this repository. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentObject } from '../../../src/openapi/openapi-terms.ts';
import { readContract } from '../../support/site-sources.ts';

/** What `npm run breaking:keep` writes. `blob` is what Git calls the content of `openapi.yaml`. */
type Released = { readonly version: string; readonly blob: string };

/** Throws when Git does not have it, and says what then helps. */
export const readReleased = async (folder = import.meta.dirname): Promise<DocumentObject> => {
  const text = releasedText(JSON.parse(readFileSync(join(folder, 'released.json'), 'utf8')) as Released);
  const place = await mkdtemp(join(tmpdir(), 'atoll-released-'));
  try {
    await writeFile(join(place, 'openapi.yaml'), text);
    return await readContract(join(place, 'openapi.yaml'));
  } finally {
    await rm(place, { recursive: true });
  }
};

const releasedText = ({ version, blob }: Released): Buffer => {
  try {
    const options = { cwd: import.meta.dirname, maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' } as const;
    return execFileSync('git', ['cat-file', 'blob', blob], options);
  } catch (cause) {
    throw new Error(
      `Git does not have openapi.yaml of ${version}, ${blob}, with which this one is compared. ` +
        'In a shallow clone, run: git fetch --unshallow. Right after npm run breaking:keep, commit openapi.yaml.',
      { cause },
    );
  }
};
