/** Makes of the package's `llms.txt` the one of a running world. */
import { servedAddress } from './page.ts';

/** Where examples and links of the file lead. */
const writtenFor = 'http://localhost:8000';

/** Links and examples name addresses below `baseUrl`, which has no slash at its end. */
export const llmsText = (text: string, baseUrl: string): string =>
  text
    .replaceAll(/\]\(([^):\s]+)\)/g, (whole, file: string) => {
      const address = servedAddress(file);
      return address === undefined ? whole : `](${writtenFor}${address})`;
    })
    .replaceAll(writtenFor, baseUrl);
