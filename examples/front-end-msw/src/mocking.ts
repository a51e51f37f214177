/** Answers the requests of this page from a repository in its memory. */
import { createAtoll } from 'atoll-server/browser';
import { site } from 'atoll-server/browser/default-site';
import { atollHandlers } from 'atoll-server/msw';
import { setupWorker } from 'msw/browser';

export const startMocking = async (address: string): Promise<void> => {
  const atoll = await createAtoll({ site, baseUrl: address });
  await setupWorker(...atollHandlers(atoll)).start();
};
