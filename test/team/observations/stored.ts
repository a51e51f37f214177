/** An exchange as a process stores it for others, and as these read it. */
export { restoredExchange, storedExchange } from '../../../src/team/observations/stored-exchange.ts';
