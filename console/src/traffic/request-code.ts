/** Writes a recorded request as code: a `curl` command, `fetch`, and a call of `atoll-server/client`. */
import { shellWord } from '../api/shell-word.ts';
import {
  credentialsOf,
  isBodyMissing,
  repeatedHeaders,
  senderOf,
  type SentCredentials,
  type TrafficExchange,
} from './recorded-request.ts';

export type CodeContext = {
  /** The address of the world, without a slash at its end. */
  readonly baseUrl: string;
  /** The path of the operation in the document, such as `/node/{node_id}`. */
  readonly template: string | undefined;
  /** The password of the account that sent the request, where it is known. */
  readonly password: string | undefined;
};

/** The commands read a password or a token that the console does not know from these variables. */
const variables = {
  password: 'ATOLL_PASSWORD',
  token: 'ATOLL_TOKEN',
  cookie: 'ATOLL_COOKIE',
  csrf: 'ATOLL_CSRF_TOKEN',
};

export const curlCode = (exchange: TrafficExchange, { baseUrl, password }: CodeContext): string => {
  const { method, path, request } = exchange;
  const name = senderOf(exchange) ?? 'NAME';
  const credentials: Readonly<Record<SentCredentials, readonly string[]>> = {
    none: [],
    password: [
      password === undefined
        ? `-u ${shellWord(`${name}:`)}"$${variables.password}"`
        : `-u ${shellWord(`${name}:${password}`)}`,
    ],
    token: [`-H "Authorization: Bearer $${variables.token}"`],
    session: [
      `-H "Cookie: $${variables.cookie}"`,
      ...(needsCsrfToken(method) ? [`-H "X-CSRF-Token: $${variables.csrf}"`] : []),
    ],
  };
  const parts = [
    'curl -i',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : [`-X ${method}`]),
    ...credentials[credentialsOf(exchange)],
    ...Object.entries(repeatedHeaders(request)).map(([header, value]) => `-H ${shellWord(`${header}: ${value}`)}`),
    ...(isBodyMissing(request) ? ['--data-binary @BODY'] : []),
    ...(request.body === undefined ? [] : [`--data-binary ${shellWord(request.body)}`]),
    shellWord(baseUrl + path),
  ];
  return parts.join(' ');
};

/** The X-CSRF-Token that writing requests with a session need. */
const needsCsrfToken = (method: string): boolean => ['POST', 'PATCH', 'DELETE'].includes(method);

export const fetchCode = (exchange: TrafficExchange, { baseUrl, password }: CodeContext): string => {
  const { method, path, request } = exchange;
  const kind = credentialsOf(exchange);
  const account = `${senderOf(exchange) ?? 'NAME'}:${password ?? 'PASSWORD'}`;
  const headers: Record<string, Literal> = {
    ...(kind === 'password' ? { Authorization: code(`'Basic ' + btoa(${literal(account)})`) } : {}),
    ...(kind === 'token' ? { Authorization: 'Bearer TOKEN' } : {}),
    ...(kind === 'session' && needsCsrfToken(method)
      ? { 'X-CSRF-Token': code("await (await fetch('/session/token')).text()") }
      : {}),
    ...repeatedHeaders(request),
  };
  const init: Record<string, Literal> = {
    ...(method === 'GET' ? {} : { method }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(kind === 'session' ? { credentials: 'include' } : {}),
    ...bodyOf(exchange, (json) => code(`JSON.stringify(${literal(json, 1)})`)),
  };
  const more = Object.keys(init).length === 0 ? '' : `, ${literal(init)}`;
  return `const response = await fetch(${literal(baseUrl + path)}${more});
console.log(response.status, await response.text());`;
};

export const clientCode = (exchange: TrafficExchange, context: CodeContext): string => {
  const kind = credentialsOf(exchange);
  const account = `${literal(senderOf(exchange) ?? 'NAME')}, ${literal(context.password ?? 'PASSWORD')}`;
  const authentications: Readonly<Record<SentCredentials, { readonly imports: string; readonly made: string }>> = {
    none: { imports: '', made: '' },
    password: { imports: ', basic', made: `basic(${account})` },
    token: { imports: ', basic, bearer', made: `bearer(basic(${account}))` },
    session: { imports: ', session', made: `session({ name: ${account.replace(', ', ', password: ')} })` },
  };
  const { imports, made } = authentications[kind];
  const options = { baseUrl: context.baseUrl, ...(made === '' ? {} : { authentication: code(made) }) };
  return `import { createClient${imports} } from 'atoll-server/client';

const client = createClient(${literal(options)});
${clientCall(exchange, context)}`;
};

/** A method of the document's paths where there is one, else the client's `fetch`. */
const clientCall = (exchange: TrafficExchange, { baseUrl, template }: CodeContext): string => {
  const { method, path, request } = exchange;
  const headers = repeatedHeaders(request);
  const [pathname = '', query = ''] = path.split('?');
  const values = template === undefined ? undefined : pathValues(template, pathname);
  const isJson = request.body !== undefined && jsonOf(request.body) !== undefined;
  if (template === undefined || values === undefined || method === 'OPTIONS' || (request.bytes > 0 && !isJson)) {
    const given = {
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...bodyOf(exchange, (json) => code(`JSON.stringify(${literal(json, 1)})`)),
    };
    return `const response = await client.fetch(${literal(baseUrl + path)}, ${literal({ method, ...given })});
console.log(response.status, await response.text());`;
  }
  // The client asks for JSON and sends JSON unless an option says otherwise.
  const parameters = Object.fromEntries(
    [...new URLSearchParams(query)].filter(([name, value]) => name !== '_format' || value !== 'json'),
  );
  const others = Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== 'content-type' || value !== 'application/json'),
  );
  const params = {
    ...(Object.keys(values).length === 0 ? {} : { path: values }),
    ...(Object.keys(parameters).length === 0 ? {} : { query: parameters }),
  };
  const init = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(Object.keys(others).length === 0 ? {} : { headers: others }),
    ...bodyOf(exchange, (json) => json),
  };
  const more = Object.keys(init).length === 0 ? '' : `, ${literal(init)}`;
  return `const { data, response } = await client.${method}(${literal(template)}${more});
console.log(response.status, data);`;
};

/** The values of a template's parameters in a path; whole numbers as numbers. Undefined when the path is not of the template. */
export const pathValues = (template: string, path: string): Record<string, string | number> | undefined => {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string | number> = {};
  for (const [index, segment] of wanted.entries()) {
    const [, name] = /^\{(.+)\}$/.exec(segment) ?? [];
    const value = given[index] ?? '';
    if (name === undefined && segment !== value) return undefined;
    if (name === undefined) continue;
    const decoded = decodedText(value);
    if (decoded === undefined) return undefined; // the client could not write it
    values[name] = /^\d{1,15}$/.test(value) ? Number(value) : decoded;
  }
  return values;
};

/** Undefined for percent-encoded bytes that are no UTF-8. */
const decodedText = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const bodyOf = ({ request }: TrafficExchange, ofJson: (json: Literal) => Literal): { readonly body?: Literal } => {
  if (isBodyMissing(request)) return { body: code(`bytes /* ${request.bytes} bytes, which traffic does not keep */`) };
  if (request.body === undefined) return {};
  const json = jsonOf(request.body);
  return { body: json === undefined ? request.body : ofJson(json.value) };
};

const jsonOf = (text: string): { readonly value: Literal } | undefined => {
  try {
    return { value: JSON.parse(text) as Literal }; // JSON is made of literals
  } catch {
    return undefined;
  }
};

/** A piece of code among literals. */
class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
const code = (text: string): Code => new Code(text);

type Literal = string | number | boolean | null | Code | readonly Literal[] | { readonly [name: string]: Literal };

/** A value as JavaScript writes it. `depth` is how far its lines are indented. */
const literal = (value: Literal, depth = 0): string => {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = isListOf(value);
  const parts = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${literal(item, depth + 1)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= 80 && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${indent}${part},\n`).join('')}${'  '.repeat(depth)}${close}`;
};

const isListOf = (value: object): value is readonly Literal[] => Array.isArray(value);

const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));
