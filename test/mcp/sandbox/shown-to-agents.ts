/** What a coding agent is shown of an answer. */
export { headersOf, textOf } from '../../../src/mcp/sandbox/answer-text.ts';
