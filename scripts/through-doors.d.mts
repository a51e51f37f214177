/** The text of a file of the source whose imports of doors lead to the files behind them, with as many lines. */
export function throughDoors(file: string, text: string): string;
