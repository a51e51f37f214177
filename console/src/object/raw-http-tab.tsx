/** The raw HTTP of an entity: its response in each form, for any of the accounts, with the request that gets it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useActing, type Acting } from '../api/acting.ts';
import { curlOf, exchange, type PlainAnswer, type PlainAsk } from '../api/exchange.ts';
import { contentKey, repositoryQuery } from '../api/queries.ts';
import { useSearchValues } from '../ui/search.ts';
import { Loaded } from '../ui/states.tsx';
import { Badge, Code, Field, toneOfStatus } from '../ui/text.tsx';
import { jsonOf, linkLines } from './representation.ts';
import { sizeText } from '../ui/size-text.ts';

type Values = { readonly form: string | undefined; readonly as: string | undefined };

/** The forms of a response. `path` is that of the JSON. */
const forms = {
  json: { label: 'JSON', ask: (path: string): PlainAsk => ({ method: 'GET', path }) },
  jsonld: {
    label: 'JSON-LD',
    ask: (path: string): PlainAsk => ({ method: 'GET', path: path.replace('_format=json', '_format=jsonld') }),
  },
  html: {
    label: 'Readable page (HTML)',
    ask: (path: string): PlainAsk => ({
      method: 'GET',
      path: path.replace(/\?_format=json$/, ''),
      headers: { Accept: 'text/html' },
    }),
  },
  head: { label: 'Headers only', ask: (path: string): PlainAsk => ({ method: 'HEAD', path }) },
} as const;
type Form = keyof typeof forms;

const isForm = (text: string | undefined): text is Form => text !== undefined && Object.hasOwn(forms, text);

export const RawHttpTab = ({ path }: { readonly path: string }): ReactElement => {
  const [values, change] = useSearchValues<Values>();
  const asked = useAsking(values.as);
  const form = isForm(values.form) ? values.form : 'json';
  const ask = forms[form].ask(path);
  const answer = useQuery({
    queryKey: contentKey(asked.acting, 'wire', ask),
    queryFn: () => exchange(asked.acting, ask),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <div className="row end">
        <Choice
          label="Form"
          value={form}
          options={Object.entries(forms).map(([key, { label }]) => ({ key, label }))}
          onChange={(key) => change({ form: key === 'json' ? undefined : key })}
        />
        <Choice
          label="Sent by"
          value={asked.key}
          options={asked.choices}
          onChange={(key) => change({ as: key === '' ? undefined : key })}
        />
      </div>
      <Code label="The request as curl" text={curlOf(ask, asked.acting)} copyLabel="Copy curl" />
      <Loaded query={answer} what="the response">
        {(data) => <Answer answer={data} isOld={answer.isPlaceholderData} />}
      </Loaded>
    </div>
  );
};

type Option = { readonly key: string; readonly label: string };
type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (key: string) => void;
};

const Choice = ({ label, value, options, onChange }: ChoiceProps): ReactElement => (
  <Field label={label}>
    {(attributes) => (
      <select {...attributes} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map((option) => (
          <option key={option.key} value={option.key}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type Asking = {
  readonly key: string;
  readonly acting: Acting;
  readonly choices: readonly Option[];
};

/** The account that asks on this tab: the one of the whole console, a visitor, or one of the demo accounts with Basic. */
const useAsking = (wanted: string | undefined): Asking => {
  const acting = useActing();
  const accounts = useQuery(repositoryQuery).data?.accounts ?? [];
  const others = accounts.flatMap(({ name, password }) =>
    password === undefined
      ? []
      : { key: `account ${name}`, label: name, acting: { name, password, scheme: 'password' } as const },
  );
  const choices = [
    { key: '', label: `You (${acting?.name ?? 'a visitor'})`, acting },
    { key: 'visitor', label: 'A visitor', acting: undefined },
    ...others,
  ];
  const chosen = choices.find(({ key }) => key === wanted);
  return { key: chosen?.key ?? '', acting: chosen === undefined ? acting : chosen.acting, choices };
};

const Answer = ({ answer, isOld }: { readonly answer: PlainAnswer; readonly isOld: boolean }): ReactElement => {
  const headers = answer.headers
    .map(([name, value]) => (name === 'link' ? linkLines(value, name) : `${name}: ${value}`))
    .join('\n');
  return (
    <div className="stack" aria-busy={isOld}>
      <p className="row" role="status">
        <Badge tone={toneOfStatus(answer.status)}>{answer.status}</Badge>
        <span>
          {sizeText(answer.bytes)} in {Math.round(answer.milliseconds)} ms
        </span>
        {isOld && <span className="soft">Loading …</span>}
      </p>
      <section>
        <h2>Headers</h2>
        <Code label="The headers of the response" text={headers} />
      </section>
      <section>
        <h2>Body</h2>
        <Body answer={answer} />
      </section>
    </div>
  );
};

const Body = ({ answer: { text, bytes } }: { readonly answer: PlainAnswer }): ReactElement => {
  if (bytes === 0) return <p>The response has no body.</p>;
  if (text === undefined) return <p>The body is not text.</p>;
  const body = jsonOf(text);
  return (
    <div className="stack">
      {body !== undefined && <p className="soft">Indented for reading; it was sent in one line.</p>}
      <Code label="The body of the response" text={body === undefined ? text : JSON.stringify(body, undefined, 2)} />
    </div>
  );
};
