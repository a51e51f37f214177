/** Defines a violation: a part of a request or of a reply that the document does not allow. */

/** `pointer` names the part: `/path/id`, `/query/page` or `/requestBody/title` of a request, `/body/title` of a reply. `rule` is left out where no schema has one. */
export type Violation = { readonly pointer: string; readonly message: string; readonly rule?: ViolatedRule };

/** The rule of the schema, in Ajv's terms. */
export type ViolatedRule = {
  /** `required`, `type`, … */
  readonly keyword: string;
  /** The rule's position below the schema that was checked: `#/properties/title/type`. */
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** The part of Ajv's errors that is used. */
type AjvError = {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema that has the keyword. */
  readonly parentSchema?: object | undefined;
};

/** `note` receives each rule with the schema that has it. */
export const violationsFrom = (
  errors: readonly AjvError[] | null | undefined,
  note: (rule: ViolatedRule, holder: object) => void,
): Violation[] =>
  (errors ?? []).map(({ instancePath, schemaPath, keyword, message, params, parentSchema }) => {
    const rule = { keyword, schemaPath, params };
    if (parentSchema !== undefined) note(rule, parentSchema);
    return { pointer: instancePath, message: `${message ?? keyword}${detailOf(params)}`, rule };
  });

const detailOf = ({ additionalProperty, unevaluatedProperty }: ViolatedRule['params']): string => {
  const name = additionalProperty ?? unevaluatedProperty;
  return typeof name === 'string' ? ` (${name})` : '';
};

/** The message, with the values that an `enum` allows. */
export const fullMessage = ({ message, rule }: Violation): string => {
  const allowed = rule?.params['allowedValues'];
  return Array.isArray(allowed) ? `${message} (${allowed.map((value) => JSON.stringify(value)).join(', ')})` : message;
};
