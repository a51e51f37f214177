/** Writes problem details (RFC 9457), for what no document describes. */
import type { EngineReply, HeaderValues } from '../exchange.ts';
import { writtenReply } from './reply-body.ts';

export const problemReply = (status: number, detail: string, headers: HeaderValues = {}): EngineReply =>
  writtenReply(
    status,
    { 'Content-Type': 'application/problem+json', ...headers },
    JSON.stringify({ type: 'about:blank', title: titles[status] ?? 'Refused', status, detail }),
  );

/** The phrases of RFC 9110 §15.5 and §15.6, and of RFC 4918 and 6585. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  423: 'Locked',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
};
