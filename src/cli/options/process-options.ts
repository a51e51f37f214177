/** The start options that are about the process of `atoll serve`: what it prints, and how it ends. */
import { choice, flag, path, seconds } from '../../basics/options/option-kinds.ts';
import { option } from '../../basics/options/option-rows.ts';

const serve = ['serve'] as const;

/** In the order of the help. */
export const processOptions = {
  replay: option(path('<dir>'), {
    holds: serve,
    sentence: 'answers from [a recording](recording.md#replay), and from nothing else',
  }),
  logLevel: option(choice('<level>', ['debug', 'info', 'warn', 'error', 'silent']), {
    holds: serve,
    default: 'info',
    sentence: 'what is logged',
  }),
  logFormat: option(choice('<format>', ['auto', 'json', 'pretty']), {
    holds: serve,
    default: 'auto',
    sentence:
      'how [the log](metrics.md#logs) is written: `json`, one object a line; `pretty`, lines for people; `auto`, `pretty` on a terminal',
    variable: 'ATOLL_LOG_FORMAT',
  }),
  drainNotice: option(
    seconds(
      'It is a number of seconds from 0 to 9999.',
      (value) => Number.isInteger(value) && value >= 0 && value <= 9999,
    ),
    {
      holds: serve,
      default: 0,
      sentence:
        'how long the server keeps answering [after SIGTERM](metrics.md#the-end) while `/_atoll/ready` returns 503, so that a load balancer notices',
      variable: 'ATOLL_DRAIN_NOTICE',
    },
  ),
  json: option(flag, { holds: serve, sentence: 'prints one line of JSON when the server is ready, and nothing else' }),
  quiet: option(flag, { holds: serve, sentence: 'prints no line for each request on a terminal' }),
};
