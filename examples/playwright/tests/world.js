/** A world of its own for every test, on the one server whose address stands in `ATOLL_URL`. A failed test shows its traffic. */
import { test as base } from '@playwright/test';
import { atollFixtures } from 'atoll-server/playwright';

export const test = base.extend(atollFixtures());
export { expect } from '@playwright/test';
