/** An option that was renamed works by its former name for one release, with a warning. */
import { describe, expect, it } from '@jest/globals';
import { Command, Option } from 'commander';
import { addFormerName, parserOf } from '../../../src/cli/options/option-parsers.ts';
import { repeated } from '../../../src/basics/options/option-kinds.ts';
import { port } from '../../../src/server/server.ts';

const parsed = (...args: readonly string[]) => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const command = new Command('serve')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option('-p, --port <number>', 'where to listen', parserOf(port), 8000)
    .option('--also <dir>', 'may be repeated', parserOf(repeated('<file>')))
    .option('--quiet', 'prints nothing')
    .addOption(new Option('--log <level>', 'what is logged').choices(['info', 'error']));
  addFormerName(command, { former: '--listen', present: '--port', warn });
  addFormerName(command, { former: '--overlay', present: '--also', warn });
  addFormerName(command, { former: '--silent', present: '--quiet', warn });
  addFormerName(command, { former: '--verbosity', present: '--log', warn });
  command.parse([...args], { from: 'user' });
  return { command, warnings, options: command.opts<Record<string, unknown>>() };
};

const warning = (former: string, present: string): string =>
  `atoll: ${former} is called ${present} now. The next release does not know ${former} any more.`;

describe('A former name', () => {
  it('gives the option its value, parsed, as from the command line, with a warning', () => {
    const { command, warnings, options } = parsed('--listen', '8010');
    expect([options['port'], command.getOptionValueSource('port')]).toEqual([8010, 'cli']);
    expect(warnings).toEqual([warning('--listen', '--port')]);
  });

  it('may be mixed with the present one where that may be repeated', () => {
    const { warnings, options } = parsed('--also', 'a', '--overlay', 'b', '--overlay=c');
    expect(options['also']).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual([warning('--overlay', '--also'), warning('--overlay', '--also')]);
  });

  it('of an option without a value sets it', () => {
    expect(parsed('--silent')).toMatchObject({ options: { quiet: true }, warnings: [warning('--silent', '--quiet')] });
  });

  it('is refused where the present one would be', () => {
    expect(() => parsed('--verbosity', 'loud')).toThrow(/--verbosity <level>.* Allowed choices are info, error\./);
    expect(() => parsed('--listen', 'x')).toThrow('A port is a number from 0 to 65535.');
  });

  it('is not in the help, and the present name gives no warning', () => {
    const { command, warnings, options } = parsed('--port', '8010', '--log', 'info');
    expect(command.helpInformation()).not.toMatch(/--listen|--overlay|--silent|--verbosity/);
    expect([options['port'], options['log'], warnings]).toEqual([8010, 'info', []]);
  });

  it('of an option that the command does not have is a mistake of the program', () => {
    const former = { former: '--old', present: '--new', warn: () => undefined };
    expect(() => addFormerName(new Command('serve'), former)).toThrow('The command serve has no option --new.');
  });
});
