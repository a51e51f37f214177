/** What of a request or a reply the document does not allow, as the engine for any document has it. */
export type { ViolatedRule, Violation as ContractViolation } from '../../openapi/openapi-parts.ts';
