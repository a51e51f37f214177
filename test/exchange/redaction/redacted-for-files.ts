/** An exchange as a recording keeps it. */
import type { WireExchange } from '../../../src/exchange/exchange.ts';
import { createPlaceholders } from '../../../src/exchange/redaction/placeholders.ts';
import { redactExchange } from '../../../src/exchange/redaction/redact-exchange.ts';
import { builtInRules } from '../../../src/exchange/redaction/redaction-rules.ts';

export const redactedForFiles = (one: WireExchange): WireExchange =>
  redactExchange(one, { rules: builtInRules, placeholders: createPlaceholders() });
