/** The state of a world in memory. */
import { createMemoryState } from '../../src/core/model/world-state.ts';
import { describeWorldState } from './world-state.suite.ts';

describeWorldState('in memory', createMemoryState);
