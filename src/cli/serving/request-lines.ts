/** Prints a line for each request that a server on a terminal answers, and below it what was wrong. */
import { styleText } from 'node:util';
import { trafficText } from '../remote/traffic-text.ts';
import { watchEntries, type Started, type StartOptions } from '../../server/server-start.ts';
import type { CommandContext } from '../command-context.ts';
import { printable } from './server-log.ts';

type Colour = 'green' | 'yellow' | 'red';

const colourOf = (status: number): Colour => (status < 400 ? 'green' : status < 500 ? 'yellow' : 'red');

/** Colours are left out where `NO_COLOR` is set (no-color.org). */
export const printRequests = (
  { inside }: Pick<Started, 'inside'>,
  checkReplies: StartOptions['checkReplies'],
  context: Pick<CommandContext, 'environment' | 'writeLog'>,
): void => {
  const { NO_COLOR: withoutColour = '' } = context.environment;
  const paint = (format: Colour | 'dim', text: string): string =>
    withoutColour === '' ? styleText(format, text, { validateStream: false }) : text;
  watchEntries({ ...inside, areRepliesChecked: checkReplies !== 'off' }, (entry) => {
    const [head = '', ...below] = trafficText(entry).split('\n').map(printable);
    const lines = [paint(colourOf(entry.status), head), ...below.map((line) => paint('dim', line)), ''];
    context.writeLog(lines.join('\n'));
  });
};
