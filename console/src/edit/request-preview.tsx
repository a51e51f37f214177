/** Shows the request that will be sent, as the wire has it and as a `curl` command. */
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { clientOf, useActing } from '../api/acting.ts';
import { baseUrl } from '../api/address.ts';
import { curlOf, type PlainAsk } from '../api/exchange.ts';
import { contentKey } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { shellWord } from '../api/shell-word.ts';
import { Code } from '../ui/text.tsx';

type RequestPreviewProps = {
  readonly ask: PlainAsk;
  /** Tells several requests of a page apart. */
  readonly name?: string;
  /** The name of the file whose bytes are the body. */
  readonly file?: string | undefined;
};

export const RequestPreview = ({ ask, name = 'The request', file }: RequestPreviewProps): ReactElement => {
  const acting = useActing();
  const credentials = useCredentials(ask.method);
  const { pathname, host } = new URL(baseUrl);
  const lines = [
    `${ask.method} ${pathname.replace(/\/$/, '')}${ask.path} HTTP/1.1`,
    `Host: ${host}`,
    ...credentials,
    ...Object.entries(ask.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(ask.body === undefined ? [] : ['', ask.body]),
    ...(file === undefined ? [] : ['', `(the bytes of ${file})`]),
  ];
  const bytes = file === undefined ? '' : ` --data-binary ${shellWord(`@${file}`)}`;
  return (
    <div className="stack">
      <Code text={lines.join('\n')} label={name} copyLabel="Copy" />
      <Code text={curlOf(ask, acting) + bytes} label={`${name} as a curl command`} copyLabel="Copy curl" />
    </div>
  );
};

/** A token has some hundred characters, which would hide the rest. */
const longestShown = 60;

/** The headers that say who asks. A token is shortened. */
const useCredentials = (method: string): readonly string[] => {
  const acting = useActing();
  const { data, error } = useQuery({
    queryKey: contentKey(acting, 'credentials', method),
    queryFn: () => {
      const { authentication, exchange } = clientOf(acting).connection;
      return authentication.credentials(exchange, method);
    },
    staleTime: 60_000,
  });
  if (error !== null) return [`(no credentials: ${wordsOf(error)})`];
  const named = Object.entries(data ?? {}).map(([name, value]) => {
    const shown = value.length > longestShown ? `${value.slice(0, longestShown)} …` : value;
    return `${name.replace(/\b\w/g, (letter) => letter.toUpperCase())}: ${shown}`;
  });
  return acting?.scheme === 'session' ? ['Cookie: (that of the session)', ...named] : named;
};
