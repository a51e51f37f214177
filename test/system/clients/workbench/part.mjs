/**
 * Replays what Islandora Workbench asks, task by task, as an administrator and as somebody who may only ingest. The dialogues are
 * our own descriptions; the client itself is not needed.
 */
import { replay } from '../support/replay.mjs';

const tasks = [
  'check',
  'create',
  'paged-content',
  'update',
  'add-media',
  'update-media',
  'delete',
  'create-terms',
  'export-csv',
  'get-data-from-view',
  'create-redirects',
];

export const run = ({ keep }) => replay(import.meta.dirname, tasks, keep);
