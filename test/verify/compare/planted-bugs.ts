/** What `bundled-mutants.mjs` gives to scripts. */
export { startProxy } from '../../../src/checks/checks-proxy.ts';
export { preparedFile } from '../../support/atoll.ts';
export { mutants } from '../mutants/all-mutants.ts';
export { sendOver, startMutant, startSwitchable } from '../mutants/mutant-server.ts';
