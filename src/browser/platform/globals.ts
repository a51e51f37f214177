/** The globals of Node that the code uses, for the bundle to put in place of those of the platform. */
export { Buffer } from './buffer.ts';
export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from './timers.ts';
