/** The kinds of values of options that are addresses. */
import { isText, isTextList, list, type OptionKind } from '../../basics/options/option-kinds.ts';
import type { CorsOrigins } from '../http/cors.ts';

/** 0 for any free port. A program may say `false`: then nothing listens. */
export const port: OptionKind<number | false> = {
  ...{ placeholder: '<number>', rule: 'A port is a number from 0 to 65535.' },
  accepts: (value): value is number | false =>
    value === false || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535),
  parse: (given) => (/^\d{1,5}$/.test(given) ? Number(given) : undefined),
};

const isBaseUrl = (value: unknown): value is string =>
  isText(value) && /^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(value) && URL.canParse(value);

export const baseUrl: OptionKind<string> = {
  ...{ placeholder: '<url>', rule: 'A base URL begins with http:// or https:// and has no query.' },
  accepts: isBaseUrl,
  parse: (given) => given,
};

/** Whether each origin can be one of a browser is found out at the start. */
export const origins: OptionKind<CorsOrigins> = {
  ...{ placeholder: '<origins>', rule: 'Origins are loopback, off, or a list.' },
  accepts: (value): value is CorsOrigins => value === 'loopback' || value === 'off' || isTextList(value),
  parse: (given) => (given === 'loopback' || given === 'off' ? given : list('<origins>').parse(given)),
};

const isCallbackTarget = (value: unknown): value is string =>
  value === 'loopback' ||
  (isText(value) &&
    /^https?:/i.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value.replace(/\/$/, ''));

/** Loopback addresses, or one origin. */
export const callbackTarget: OptionKind<string> = {
  ...{ placeholder: '<target>' },
  rule: 'Callbacks are sent to "loopback", or to an origin such as http://localhost:9000.',
  accepts: isCallbackTarget,
  parse: (given) => given,
};
