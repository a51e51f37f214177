/** What the document says of a request and its response, and which values were not stored as sent. */
import type { ReactElement } from 'react';
import { Badge, Code } from '../ui/text.tsx';
import type { TrafficEntry } from './traffic-feed.ts';
import { replyLabels, replyTones, requestLabels, requestTones } from './traffic-table.tsx';

type BrokenRule = TrafficEntry['requestFaults'][number];

const requestWords: Readonly<Record<TrafficEntry['verdict']['request'], string>> = {
  kept: 'The request fits the document.',
  lenient: 'The request breaks the document, but was accepted.',
  broken: 'The request breaks the document, and was refused.',
};

const replyWords: Readonly<Record<TrafficEntry['verdict']['reply'], string>> = {
  kept: 'The response fits the document.',
  broken: 'The response breaks the document.',
  unchecked: 'The response was not checked.',
};

export const VerdictView = ({ exchange }: { readonly exchange: TrafficEntry }): ReactElement => {
  const { verdict, message, requestFaults, replyFaults, corrected } = exchange;
  return (
    <section className="stack">
      <h3>Verdict</h3>
      <p>
        <Badge tone={requestTones[verdict.request]}>{requestLabels[verdict.request]}</Badge>{' '}
        {requestWords[verdict.request]}
      </p>
      {requestFaults.length > 0 && message !== undefined && <p>The server answered: {message}</p>}
      {requestFaults.map((rule, index) => (
        <Rule key={index} rule={rule} />
      ))}
      {corrected !== undefined && (
        <div>
          <p>A valid request would be:</p>
          <Code text={corrected} label="Corrected request" copyLabel="Copy curl" />
        </div>
      )}
      <p>
        <Badge tone={replyTones[verdict.reply]}>{replyLabels[verdict.reply]}</Badge> {replyWords[verdict.reply]}
      </p>
      {replyFaults.map((rule, index) => (
        <Rule key={index} rule={rule} />
      ))}
    </section>
  );
};

const Rule = ({ rule: { rule, pointer, message, arrived, document } }: { readonly rule: BrokenRule }): ReactElement => (
  <div className="note bad">
    <p>{message}</p>
    <dl className="facts">
      <div>
        <dt>Rule</dt>
        <dd>{rule}</dd>
      </div>
      <div>
        <dt>At</dt>
        <dd className="mono">{pointer}</dd>
      </div>
      {arrived !== undefined && (
        <div>
          <dt>Arrived</dt>
          <dd className="mono">{arrived}</dd>
        </div>
      )}
      {document !== undefined && (
        <div>
          <dt>Document</dt>
          <dd className="mono">
            {document.file ?? 'openapi.yaml'}:{document.line} {document.pointer}
          </dd>
        </div>
      )}
    </dl>
  </div>
);

/** Nothing without advice. */
export const AdviceView = ({ advice }: { readonly advice: TrafficEntry['advice'] }): ReactElement | undefined => {
  if (advice.length === 0) return undefined;
  return (
    <section className="stack">
      <h3>Advice</h3>
      <p>
        These parts were accepted, as on a real site, and were not stored as they were sent, or cannot be what was
        meant.
      </p>
      {advice.map(({ pointer, reason, sent, before, stored }, index) => (
        <div key={index} className="note warn">
          <p>{reason}</p>
          <dl className="facts">
            <div>
              <dt>At</dt>
              <dd className="mono">{pointer}</dd>
            </div>
            <Value name="Sent" value={sent} />
            <Value name="Before" value={before} />
            <Value name="Stored" value={stored} />
          </dl>
        </div>
      ))}
    </section>
  );
};

const Value = ({ name, value }: { readonly name: string; readonly value: unknown }): ReactElement | undefined =>
  value === undefined ? undefined : (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{JSON.stringify(value)}</dd>
    </div>
  );
