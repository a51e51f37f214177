/** The start options that say where a server listens, which clients it answers, and who may use its control interface. */
import { choice, flag, list, path, text, wholeNumber } from '../../basics/options/option-kinds.ts';
import { option } from '../../basics/options/option-rows.ts';
import { baseUrl, origins, port } from './address-kinds.ts';

/** In the order of the help. */
export const reachOptions = {
  port: option(port, {
    holds: ['serve', 'exec', 'startAtoll'],
    defaults: { serve: 8000, exec: 0, startAtoll: 0 },
    sentence: 'the port to listen on; 0 takes any free one',
    sentenceOn: {
      startAtoll:
        'the port to listen on; 0, the default, takes any free one, and with `false` only `fetch` and `middleware` reach the server',
    },
  }),
  host: option(text('<host>'), { holds: ['serve'], default: 'localhost', sentence: 'the host to listen on' }),
  baseUrl: option(baseUrl, {
    holds: ['serve', 'startAtoll', 'createAtoll'],
    sentence: 'how clients reach the server, if that is not where it listens',
    sentenceOn: {
      createAtoll:
        'the address that requests are made to, without a slash at its end; without it the origin of the page',
    },
    variable: 'ATOLL_BASE_URL',
  }),
  allowedHosts: option(list('<names>'), {
    holds: ['serve', 'startAtoll'],
    sentence:
      '[host names](authentication.md#host-names) that are answered besides `localhost` and that of the base URL',
  }),
  cors: option(origins, {
    holds: ['serve', 'startAtoll'],
    default: 'loopback',
    sentence:
      'origins that may read answers in a browser: `loopback`, `off`, or a list, in which `null` stands for pages opened as files',
  }),
  controlOrigins: option(list('<origins>'), {
    holds: ['serve', 'exec', 'startAtoll'],
    sentence:
      'origins of other servers whose pages may change something [through `/_atoll`](worlds.md#from-other-machines)',
    otherwise: 'none',
  }),
  basicChallenge: option(choice('<clients>', ['always', 'outside-browsers', 'never']), {
    holds: ['serve', 'startAtoll'],
    default: 'always',
    sentence:
      'which clients get `WWW-Authenticate: Basic` with a 401, for which browsers [open a dialog](front-ends.md#no-dialog)',
  }),
  maxConnections: option(wholeNumber('A number of connections', { least: 1, most: 999_999 }), {
    holds: ['serve'],
    sentence: 'how many [connections](limits.md#a-request) the server takes at a time',
    otherwise: 'half of the open files that the system allows, at most 10000',
  }),
  demoAccounts: option(flag, {
    holds: ['serve'],
    sentence: 'allows accounts with published passwords on a host that others can reach; the variable with any value',
    // A service container of a pipeline has an environment and no command line.
    variable: 'ATOLL_DEMO_ACCOUNTS',
  }),
  controlToken: option(
    text('<token>', {
      pattern: /^[\x21-\x7e]{8,256}$/,
      rule: 'A control token has 8 to 256 printable characters without blanks.',
      isSecret: true,
    }),
    {
      holds: ['serve', 'startAtoll'],
      sentence: 'opens `/_atoll` to other machines; then every caller needs the token',
      variable: 'ATOLL_CONTROL_TOKEN',
    },
  ),
  controlTokenFile: option(path('<file>'), {
    holds: ['serve'],
    sentence:
      'like `--control-token`, but read from [a file](control-tokens.md), so that the token does not show up in process lists',
    variable: 'ATOLL_CONTROL_TOKEN_FILE',
    excludes: { controlToken: 'gives the token' },
  }),
  controlRate: option(wholeNumber('A number of requests', { least: 1, most: 999_999 }), {
    holds: ['serve', 'startAtoll'],
    sentence: 'the most requests that each control token may send in a minute',
    otherwise: 'any number',
  }),
};
