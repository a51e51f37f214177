/** Reads parts of a document that may have another form than OpenAPI gives them. */
import { isRecord } from '../../basics/json.ts';

export type Node = Readonly<Record<string, unknown>>;

/** The object, or an empty one in place of anything else. */
export const asNode = (value: unknown): Node => (isRecord(value) ? value : {});
