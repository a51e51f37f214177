/** A recorded request as code to copy. */
import { useState, type ReactElement } from 'react';
import { Tabs } from '../ui/tabs.tsx';
import { Code } from '../ui/text.tsx';
import { hasSecrets, type TrafficExchange } from './recorded-request.ts';
import { clientCode, curlCode, fetchCode, type CodeContext } from './request-code.ts';

type CodeTabsProps = { readonly exchange: TrafficExchange; readonly context: CodeContext };

export const CodeTabs = ({ exchange, context }: CodeTabsProps): ReactElement => {
  const [form, setForm] = useState('curl');
  const forms = [
    ['curl', 'curl', curlCode],
    ['fetch', 'fetch', fetchCode],
    ['client', 'atoll-server/client', clientCode],
  ] as const;
  return (
    <>
      <Tabs
        label="Forms of the code"
        selected={form}
        onSelect={setForm}
        tabs={forms.map(([key, label, write]) => ({
          key,
          label,
          content: <Code text={write(exchange, context)} label={`The request as ${label}`} copyLabel={`Copy ${key}`} />,
        }))}
      />
      {hasSecrets(exchange) && <p className="note">Traffic keeps no secrets. Write yours in place of [redacted].</p>}
    </>
  );
};
