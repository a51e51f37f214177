/** Reads the option `--report` and writes to its files: one way for every command that has it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { ConfigurationError } from '../basics/configuration-error.ts';

import { entriesOf } from '../basics/options/option-kinds.ts';

export type ReportFile<Format extends string> = { readonly format: Format; readonly file: string };

/** The parser of `--report` with these formats: `json=FILE,html=FILE`, or a single `junit=FILE`. Throws `InvalidArgumentError`. */
export const reportReader =
  <Format extends string>(...formats: readonly Format[]) =>
  (text: string): readonly ReportFile<Format>[] => {
    const wanted = formats.map((format) => `${format}=FILE`).join(', ');
    return (formats.length === 1 ? [text] : entriesOf(text)).map((part) => {
      const format = formats.find((each) => part.startsWith(`${each}=`));
      const file = part.slice((format?.length ?? 0) + 1);
      if (format !== undefined && file !== '') return { format, file };
      throw new InvalidArgumentError(
        formats.length === 1 ? `A report is ${wanted}.` : `"${part}" is none of ${wanted}.`,
      );
    });
  };

/** Writes each report. Before a run the text is empty: a file that cannot be written ends the command then. */
export const writeReportFiles = async <Format extends string>(
  reports: readonly ReportFile<Format>[] = [],
  textOf: (format: Format) => string = () => '',
): Promise<void> => {
  for (const { format, file } of reports) await writeNamed(`--report ${format}=${file}`, file, textOf(format));
};

/** Writes the file that an option names, with its directory. Throws `ConfigurationError` that names the option. */
export const writeNamed = async (option: string, file: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (cause) {
    throw new ConfigurationError(`${option}: it cannot be written. Name another place.`, { cause });
  }
};
