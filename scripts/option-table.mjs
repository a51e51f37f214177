/** Makes the table of docs/use/commands.md out of the table of start options. */
import { importSource } from './import-source.mjs';

/** The rows: what is written, what it does, and where else it holds. */
export const optionRows = async () => {
  const { commandOptions, writtenFlag } = await importSource('src/cli/options/option-table.ts');
  return Object.entries(commandOptions).map(([name, row]) => {
    const isOnServe = row.holds.includes('serve');
    const [first] = row.holds;
    return [
      isOnServe ? flagsOf(writtenFlag(name), row) : `\`${name}\``,
      [wordsOf(writtenFlag(name), row, first), ...notesOf(row)].join(''),
      hostsText(name, row),
    ];
  });
};

const flagsOf = (flag, { kind, negative, default: value }) => {
  if (kind.placeholder !== undefined) return `\`${flag} ${choicesOf(kind)}\``;
  const off = flag.replace('--', '--no-');
  const flags = negative === undefined ? [flag] : value === true ? [off] : [flag, off];
  return flags.map((each) => `\`${each}\``).join(', ');
};

const choicesOf = ({ choices, placeholder }) => choices?.join('|') ?? placeholder;

const wordsOf = (flag, { sentence, sentenceOn, negative, default: value }, host) => {
  if (negative === undefined) return sentenceOn?.[host] ?? sentence;
  return value === true ? negative : `${sentence}; \`${flag.replace('--', '--no-')}\` ${negative}`;
};

/** Default and variable. */
const notesOf = (row) => {
  const notes = [...defaultsOf(row), ...(row.variable === undefined ? [] : [`variable \`${row.variable}\``])];
  return notes.length === 0 ? [] : [` (${notes.join('; ')})`];
};

const shown = (value) => `\`${String(value)}\``;

const defaultsOf = ({ holds, default: value, defaults, otherwise }) => {
  if (defaults !== undefined) {
    const byHost = holds.filter((host) => defaults[host] !== undefined);
    const values = [...new Set(byHost.map((host) => defaults[host]))];
    const [one] = values;
    if (values.length === 1) return [`default ${shown(one)}`];
    return [
      `default ${values
        .map(
          (each) =>
            `${shown(each)} in ${byHost
              .filter((host) => defaults[host] === each)
              .map(shown)
              .join(' and ')}`,
        )
        .join(', ')}`,
    ];
  }
  if (otherwise !== undefined) return [`default: ${otherwise}`];
  return value === undefined || value === true ? [] : [`default ${shown(value)}`];
};

/** A function has an option by its own name, and sometimes for something else: those stand last. */
const hostsText = (name, { holds, flag, sentenceOn }) => {
  const named = (host) => `\`${host}\`${host === 'exec' || flag === undefined ? '' : ` (\`${name}\`)`}`;
  const others = holds.filter((host) => host !== holds[0] && sentenceOn?.[host] !== undefined);
  const same = holds.filter((host) => host !== 'serve' && !others.includes(host));
  return [
    ...(same.length === 0 ? [] : [same.map(named).join(', ')]),
    ...others.map((host) => `in ${named(host)}: ${sentenceOn[host]}`),
  ].join('; ');
};

/** What editors show of an option of a function: a sentence for each name. */
export const optionComments = async (host) => {
  const { commandOptions } = await importSource('src/cli/options/option-table.ts');
  const rows = Object.entries(commandOptions).filter(([, { holds }]) => holds.includes(host));
  return new Map(
    rows.map(([name, row]) => {
      const { sentence, sentenceOn, otherwise, default: value, defaults } = row;
      const words = (sentenceOn?.[host] ?? sentence).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      const fallback = sentenceOn?.[host] === undefined ? (otherwise ?? asShown(defaults?.[host] ?? value)) : undefined;
      const text = `${words[0].toUpperCase()}${words.slice(1)}.${fallback === undefined ? '' : ` Default: ${fallback}.`}`;
      return [name, text];
    }),
  );
};

const asShown = (value) => (value === undefined ? undefined : shown(value));
