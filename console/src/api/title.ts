/** What a server is called: the name of its site, or the titles of the documents that it serves alone. */
import type { ControlSchemas } from './control.ts';

type Served = Pick<ControlSchemas['Repository'], 'site' | 'hasRepository' | 'documents'>;

export const titleOf = ({ site, hasRepository, documents }: Served): string =>
  hasRepository ? site.name : documents.map(({ title }) => title).join(', ');
