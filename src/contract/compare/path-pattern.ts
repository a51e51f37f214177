/** Patterns of places in an answer: JSON Pointers in which `*` stands for one step, and `**` at the end for any number. */

export const matchesPlace = (pattern: string, place: string): boolean => {
  const wanted = pattern.split('/');
  const steps = place.split('/');
  const isOpen = wanted.at(-1) === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? steps.length < fixed.length : steps.length !== fixed.length) return false;
  return fixed.every((step, at) => step === '*' || step === steps[at]);
};

/** The pattern of all places that differ in their indexes alone. */
export const patternOfPlace = (place: string): string =>
  place
    .split('/')
    .map((step) => (/^(?:\d+|-)$/.test(step) ? '*' : step))
    .join('/');
