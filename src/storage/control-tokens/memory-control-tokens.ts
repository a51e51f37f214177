/** Keeps control tokens in memory, where there is neither a data directory nor a database. They end with the process. */
import type { ControlTokenStore } from '../../core/model/control-token-store.ts';
import { createListedTokens } from './token-list.ts';

export const createMemoryControlTokens = (): ControlTokenStore => createListedTokens([], async () => undefined);
