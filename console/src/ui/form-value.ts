/** Reads the inputs of a form. */

/** The text of an input without spaces around it. Undefined when it is empty. */
export const formValue = (form: FormData, name: string): string | undefined => {
  const value = form.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};
