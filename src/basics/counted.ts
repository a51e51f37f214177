/** Writes a number with its noun: `1 fault`, `2 faults`. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`;
