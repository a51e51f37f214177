/** Finds what the document says of a recorded exchange: the verdict on its request, what is broken, and how the request would be right. */
import type { components } from '../client/generated/control.ts';
import { hidingSecretsOf, type RecordedExchange } from '../exchange/exchange.ts';
import type { Correction, CorrectedRequest, ExplainedViolation } from './contract-judge.ts';
import type { ServedContract } from './corrected-body.ts';
import { correctRequest } from './corrected-request.ts';
import { curlOf } from './curl-command.ts';
import { explainReply, explainRequest, isOrdered, refusalMessage, type ExplanationContext } from './violations.ts';

type RequestVerdict = components['schemas']['TrafficEntry']['verdict']['request'];

/** What the document says of an exchange. Nothing in it has secrets but `corrected`. */
export type Findings = {
  readonly verdict: RequestVerdict;
  /** The server's own words of a refusal. */
  readonly message: string | undefined;
  readonly requestFaults: ExplainedViolation[];
  readonly replyFaults: ExplainedViolation[];
  /** The request that should have been sent. Undefined where nothing has to change, or nobody knows how. */
  readonly corrected: CorrectedRequest | undefined;
  /** The same as one line with `curl`, without secrets but published passwords. */
  readonly curl: string | undefined;
};

type FindingContext = ExplanationContext & { readonly contract: ServedContract };

/** The verdict on the request alone. It is cheap, because every search computes it. */
export const requestVerdictOf = (exchange: RecordedExchange, context: ExplanationContext): RequestVerdict => {
  const { observations, status } = exchange;
  if (status < 400 && !isOrdered(exchange))
    return observations.isLenient || observations.requestViolations.length > 0 ? 'lenient' : 'kept';
  return explainRequest(exchange, { ...context, lines: undefined }).length > 0 ? 'broken' : 'kept';
};

/** Everything that the document says of an exchange, for those who read traffic. */
export const findingsOf = async (exchange: RecordedExchange, context: FindingContext): Promise<Findings> => {
  const { contract } = context;
  const verdict = requestVerdictOf(exchange, context);
  const correction = verdict === 'kept' ? undefined : await correctionOf(exchange, contract);
  const corrected = correction?.request;
  const { passwordOf } = contract;
  return {
    ...{ verdict, corrected, message: refusalMessage(exchange) },
    requestFaults: verdict === 'kept' ? [] : explainRequest(exchange, context, correction),
    replyFaults: explainReply(exchange, context),
    curl: corrected && curlOf(corrected, exchange, { hide: hidingSecretsOf(exchange), passwordOf }),
  };
};

const correctionOf = (exchange: RecordedExchange, contract: ServedContract): Promise<Correction> => {
  const { operation } = exchange;
  const judge = operation && contract.judgeOf?.(operation);
  return judge === undefined ? correctRequest(exchange, contract) : judge.correct(exchange);
};
