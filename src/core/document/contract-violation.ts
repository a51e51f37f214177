/** Defines a violation: a part of a request or a reply that the document does not allow. */

/** `pointer` names the part, such as `/requestBody/title/0/value`. `rule` is left out where no schema has one. */
export type ContractViolation = { readonly pointer: string; readonly message: string; readonly rule?: ViolatedRule };

/** The rule of the schema, in Ajv's terms. */
export type ViolatedRule = {
  /** `required`, `type`, … */
  readonly keyword: string;
  /** The rule's position in the schema of the whole request, of the reply's headers or of its body: `#/properties/title/type`. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
};
