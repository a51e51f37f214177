/** The state of a world in memory. */
import { createMemoryState } from '../../src/openapi/openapi-host.ts';
import { describeWorldState } from './world-state.suite.ts';

describeWorldState('in memory', createMemoryState);
