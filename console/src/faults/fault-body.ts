/** Makes the body that adds a fault from the values of the form. */
import type { ControlSchemas } from '../api/control.ts';
import { formValue } from '../ui/form-value.ts';

type FaultKind = ControlSchemas['FaultKind'];
type FaultCreate = ControlSchemas['FaultCreate'];

export const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'] as const;

/** The name of the input of a parameter. Parameters must not meet the form's own names. */
export const parameterInput = (name: string): string => `parameter ${name}`;

/** An empty field of the form is left out of the body. `rate` is in percent in the form. */
export const faultBody = (kind: FaultKind, operations: readonly string[], form: FormData): FaultCreate => {
  const [path, header, seed] = ['path', 'header', 'seed'].map((name) => formValue(form, name));
  const [rate, after, count] = ['rate', 'after', 'count'].map((name) => numberIn(form, name));
  const method = methods.find((each) => each === form.get('method'));
  const parameters = parametersOf(kind, form);
  return {
    fault: kind.name,
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(operations.length === 0 ? {} : { operations: [...operations] }),
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(header === undefined ? {} : { header }),
    ...(rate === undefined ? {} : { rate: rate / 100 }),
    ...(after === undefined ? {} : { after }),
    ...(count === undefined ? {} : { count }),
    ...(seed === undefined ? {} : { seed }),
  };
};

const parametersOf = (kind: FaultKind, form: FormData): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(kind.parameters).flatMap(([name, { type }]) => {
      const value = formValue(form, parameterInput(name));
      return value === undefined ? [] : [[name, type === 'number' ? Number(value) : value]];
    }),
  );

const numberIn = (form: FormData, name: string): number | undefined => {
  const value = formValue(form, name);
  return value === undefined ? undefined : Number(value);
};
