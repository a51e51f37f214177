/** Sends a recorded request again, changed if the user wants. It counts as a request of a client. */
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactElement, type SubmitEvent } from 'react';
import { useActing, type Acting } from '../api/acting.ts';
import { exchange as send, type PlainAnswer } from '../api/exchange.ts';
import { contentHasChanged } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/states.tsx';
import { Badge, Code, Field, toneOfStatus } from '../ui/text.tsx';
import { BodyText } from './message-view.tsx';
import {
  credentialsOf,
  hasSecrets,
  headersOfText,
  isBodyMissing,
  repeatedHeaders,
  senderOf,
  textOfHeaders,
  type TrafficExchange,
} from './recorded-request.ts';
import { methods } from './traffic-filter.ts';
import { milliseconds } from './traffic-table.tsx';

type SendAgainProps = {
  readonly exchange: TrafficExchange;
  /** The password of the account that sent it, where it is known. */
  readonly password: string | undefined;
};

export const SendAgain = (props: SendAgainProps): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dialog
      title="Send again"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<Button look="main">Send again …</Button>}
    >
      <SendForm {...props} />
    </Dialog>
  );
};

type Sender = { readonly label: string; readonly acting: Acting };

/** The acting account, the one of the original where its password is known, and a visitor. */
const sendersOf = (acting: Acting, { exchange, password }: SendAgainProps): readonly Sender[] => {
  const name = senderOf(exchange);
  const sent = credentialsOf(exchange);
  const original: Acting =
    name === undefined || password === undefined || sent === 'none' || sent === 'session'
      ? undefined
      : { name, password, scheme: sent };
  return [
    ...(acting === undefined ? [] : [{ label: `${acting.name}, as the console`, acting }]),
    ...(original === undefined
      ? []
      : [{ label: `${original.name} with a ${original.scheme}, as the original`, acting: original }]),
    { label: 'a visitor without an account', acting: undefined },
  ];
};

const SendForm = (props: SendAgainProps): ReactElement => {
  const senders = sendersOf(useActing(), props);
  const sending = useMutation({
    mutationFn: (form: FormData) => sendForm(form, senders),
    onSuccess: () => void contentHasChanged(),
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    sending.mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Fields exchange={props.exchange} senders={senders} />
      {hasSecrets(props.exchange) && (
        <p className="note">Traffic keeps no secrets. Write yours in place of [redacted].</p>
      )}
      <div className="row">
        <Button type="submit" look="main" disabled={sending.isPending}>
          {sending.isPending ? 'Sending …' : 'Send'}
        </Button>
        <span className="soft">It counts in traffic and coverage.</span>
      </div>
      {sending.isError && <Failure error={sending.error} />}
      {sending.data !== undefined && <Answer answer={sending.data} />}
    </form>
  );
};

const sendForm = async (form: FormData, senders: readonly Sender[]): Promise<PlainAnswer> => {
  const text = (name: string): string => form.get(name) as string; // none of the fields is a file
  const method = text('method');
  const hasBody = !['GET', 'HEAD'].includes(method) && text('body') !== '';
  return send(senders[Number(text('sender'))]?.acting, {
    method,
    path: text('path'),
    headers: headersOfText(text('headers')),
    isCounted: true,
    ...(hasBody ? { body: text('body') } : {}),
  });
};

type FieldsProps = Pick<SendAgainProps, 'exchange'> & { readonly senders: readonly Sender[] };

/** They begin with the original. The browser keeps what the user writes. */
const Fields = ({ exchange: { method, path, request }, senders }: FieldsProps): ReactElement => {
  const missing = isBodyMissing(request)
    ? 'Traffic has not kept the body of the original. Write another one.'
    : undefined;
  const headers = textOfHeaders(repeatedHeaders(request));
  return (
    <>
      <div className="row end">
        <Field label="Method">
          {(attributes) => (
            <select {...attributes} name="method" defaultValue={method}>
              {methods.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Send as">
          {(attributes) => (
            <select {...attributes} name="sender">
              {senders.map(({ label }, index) => (
                <option key={label} value={index}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <Field label="Path with query">
        {(attributes) => (
          <input {...attributes} name="path" className="mono wide" defaultValue={path} required pattern="/.*" />
        )}
      </Field>
      <Field label="Headers" hint="One on each line. Those of the credentials are added.">
        {(attributes) => <textarea {...attributes} name="headers" rows={3} className="mono" defaultValue={headers} />}
      </Field>
      <Field label="Body" hint={missing}>
        {(attributes) => (
          <textarea {...attributes} name="body" rows={8} className="mono" defaultValue={request.body ?? ''} />
        )}
      </Field>
    </>
  );
};

const Answer = ({ answer }: { readonly answer: PlainAnswer }): ReactElement => (
  <section className="stack" aria-label="Response">
    <h3>
      The response: <Badge tone={toneOfStatus(answer.status)}>{answer.status}</Badge>
    </h3>
    <p className="soft" role="status">
      Status {answer.status}: {answer.bytes.toLocaleString('en')} bytes after {milliseconds(answer.milliseconds)}. The
      request is in the list.
    </p>
    <Code
      text={answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
      label="Headers of the response"
    />
    {answer.text !== undefined && answer.text !== '' && <BodyText text={answer.text} label="Body of the response" />}
  </section>
);
