/** The header `traceparent`: what is read, and what is passed over. */
import { expect, it } from '@jest/globals';
import { readTraceContext } from '../../src/openapi/openapi-host.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

it.each([
  `00-${trace}-${span}-01`,
  `00-${trace}-${span}-00`,
  `01-${trace}-${span}-01`,
  `cc-${trace}-${span}-01-what-comes`,
])('%s is read', (header) => {
  expect(readTraceContext(header)).toEqual({ traceId: trace, spanId: span });
});

it.each([
  undefined,
  '',
  trace,
  `ff-${trace}-${span}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${'0'.repeat(32)}-${span}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
  `00-${trace}-${span}-01-more`,
  `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  `00-${trace}-${span}`,
  `00-${trace}-${span}-1`,
  `00-${trace}\n-${span}-01`,
])('%j is passed over', (header) => {
  expect(readTraceContext(header)).toBeUndefined();
});
