/** A request or a response as it was sent: its headers and its body. */
import { useState, type ReactElement } from 'react';
import type { components } from '../../../src/client/generated/control.ts';
import { Tabs } from '../ui/tabs.tsx';
import { Code } from '../ui/text.tsx';
import { isBodyMissing, prettyJson } from './recorded-request.ts';

type Message = components['schemas']['TrafficMessage'];

/** `title` says which of the two it is. */
export const MessageView = ({
  title,
  message,
}: {
  readonly title: string;
  readonly message: Message;
}): ReactElement => {
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each) => `${name}: ${each}`),
  );
  return (
    <section className="stack">
      <h3>{title}</h3>
      {headers.length > 0 && <Code text={headers.join('\n')} label={`Headers of the ${title.toLowerCase()}`} />}
      <Body title={title} message={message} />
    </section>
  );
};

const Body = ({ title, message }: { readonly title: string; readonly message: Message }): ReactElement => {
  const { body, bytes } = message;
  if (isBodyMissing(message)) {
    return (
      <p className="soft">
        The body has {bytes.toLocaleString('en')} bytes. It is long or not text, so traffic does not keep it.
      </p>
    );
  }
  if (body === undefined || body === '') return <p className="soft">There is no body.</p>;
  return (
    <>
      <p className="soft">The body has {bytes.toLocaleString('en')} bytes.</p>
      <BodyText text={body} label={`Body of the ${title.toLowerCase()}`} />
    </>
  );
};

/** JSON can be seen with line breaks, and as it was sent. */
export const BodyText = ({ text, label }: { readonly text: string; readonly label: string }): ReactElement => {
  const [form, setForm] = useState('pretty');
  const pretty = prettyJson(text);
  if (pretty === undefined) return <Code text={text} label={label} />;
  return (
    <Tabs
      label={`Form: ${label.toLowerCase()}`}
      selected={form}
      onSelect={setForm}
      tabs={[
        { key: 'pretty', label: 'Pretty', content: <Code text={pretty} label={label} /> },
        { key: 'raw', label: 'Raw', content: <Code text={text} label={`${label}, raw`} /> },
      ]}
    />
  );
};
