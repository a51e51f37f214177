/** Makes the plain numbers that the parts of a server add to. */
import { createReplyCacheTally, type ReplyCacheTally } from '../../core/engine/reply-cache.ts';
import { createUploadTally, createWriteTally, type UploadTally, type WriteTally } from '../../basics/work-tally.ts';
import { createRequestTally, type RequestTally } from './request-tally.ts';

export type Tallies = {
  readonly requests: RequestTally;
  readonly replyCache: ReplyCacheTally;
  readonly writes: WriteTally;
  readonly uploads: UploadTally;
};

export const createTallies = (): Tallies => ({
  requests: createRequestTally(),
  replyCache: createReplyCacheTally(),
  writes: createWriteTally(),
  uploads: createUploadTally(),
});
