/** The global setup of jest for mutants. The tests load the changed source; the program of an earlier run serves who reads files. */
export default () => undefined;
