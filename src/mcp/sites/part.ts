/** What agents have of the part `sites`: its tools. */
import type { Tool } from '../tool.ts';
import { compareDocuments } from './compare-documents.ts';
import { importSite } from './import-site.ts';

export const tools: readonly Tool[] = [compareDocuments, importSite];
