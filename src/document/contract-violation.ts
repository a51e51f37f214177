/** A violation of the document: a place in a request or a reply that its schema does not allow. */

/** A place in a request or reply that its schema does not allow. `pointer` such as `/requestBody/title/0/value`. */
export type ContractViolation = { readonly pointer: string; readonly message: string; readonly rule?: ViolatedRule };

/** The rule of the schema, as the validator names it. */
export type ViolatedRule = {
  /** `required`, `type`, … */
  readonly keyword: string;
  /** Where it stands in the schema that was held against the request, its headers, or the reply's body: `#/properties/title/type`. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
};
