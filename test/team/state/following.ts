/** A state that stands for the one which a process follows now. */
export { createFollowingState } from '../../../src/team/state/following-state.ts';
