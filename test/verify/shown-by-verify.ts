/** What a report of `atoll verify` shows of an exchange. */
import { showExchange } from '../../src/checks/verify/reports/shown-exchange.ts';
import { createRedaction, type WireExchange } from '../../src/exchange/exchange.ts';

/** `published` are passwords that everybody may read. */
export const shownByVerify = (one: WireExchange, target: string, published: readonly string[]): unknown => {
  const redaction = createRedaction({ published });
  redaction.learn(one);
  return showExchange(one, { redaction, sender: { baseUrl: target } });
};
