/** A parameter as a document describes it. */
export { parameterOf } from '../../../src/openapi/document/parameter.ts';
