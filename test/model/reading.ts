/** A read over records that are there, and over no others. */
import { Reading } from '../../src/repository/model/reading.ts';

type Store = ConstructorParameters<typeof Reading>[0];

export const readingOf = (store: Store): Reading => new Reading(store);
