/**
 * Replays what programs ask that read a repository or work for it: baggers, a command line in Go, a library for sessions, and the
 * microservices that index records and write derivatives. The dialogues are our own descriptions.
 */
import { replay } from '../support/replay.mjs';

const clients = [
  'islandora-bagger',
  'leaf-isle-bagger',
  'go-islandora',
  'fabricator',
  'drupal-rest-js',
  'milliner',
  'derivatives',
];

export const run = ({ keep }) => replay(import.meta.dirname, clients, keep);
