/** A first request as curl, fetch and client code, with the credentials of the account that asks. */
import { useState, type ReactElement } from 'react';
import { useActing, type Acting } from '../api/acting.ts';
import { baseUrl, pathInWorld } from '../api/address.ts';
import type { ControlSchemas } from '../api/control.ts';
import { curlOf } from '../api/exchange.ts';
import { Tabs } from '../ui/tabs.tsx';
import { Code } from '../ui/text.tsx';

type Repository = ControlSchemas['Repository'];

const text = (value: string): string => JSON.stringify(value);

const fetchSnippet = (address: string, acting: Acting): string => {
  const init =
    acting === undefined
      ? ''
      : `, {\n  headers: { Authorization: 'Basic ' + btoa(${text(`${acting.name}:${acting.password}`)}) },\n}`;
  return `const response = await fetch(${text(address)}${init});\nconsole.log(await response.json(), response.headers.get('Link'));`;
};

const authenticationSnippet = ({ name, password, scheme }: NonNullable<Acting>): string => {
  const account = `${text(name)}, ${text(password)}`;
  if (scheme === 'session') return `session({ name: ${text(name)}, password: ${text(password)} })`;
  return scheme === 'token' ? `bearer(basic(${account}))` : `basic(${account})`;
};

const importedNames = { password: 'basic, ', token: 'basic, bearer, ', session: 'session, ' } as const;

const clientSnippet = (path: string, acting: Acting): string => {
  const imports = acting === undefined ? '' : importedNames[acting.scheme];
  const options = acting === undefined ? '' : `, authentication: ${authenticationSnippet(acting)}`;
  return `import { ${imports}createClient } from 'atoll-server/client';

const client = createClient({ baseUrl: ${text(baseUrl)}${options} });
const response = await client.fetch(${text(baseUrl + path)});
console.log(await response.json(), response.headers.get('Link'));`;
};

export const Snippets = ({ repository }: { readonly repository: Repository }): ReactElement => {
  const acting = useActing();
  const [selected, select] = useState('curl');
  const { baseUrl: ownUrl, entryPoints, documents, hasRepository } = repository;
  const first = documents.find(({ firstUrl }) => firstUrl !== undefined)?.firstUrl;
  const address = entryPoints[0]?.url ?? first ?? `${ownUrl}/openapi.json`;
  const path = pathInWorld(address) ?? '/openapi.json';
  const tab = (key: string, code: string) => ({
    key,
    label: key,
    content: <Code text={code} label={`A request as ${key}`} />,
  });
  return (
    <section className="panel" aria-labelledby="snippets">
      <h2 id="snippets">A first request</h2>
      {hasRepository && (
        <p>
          As {acting === undefined ? 'a visitor' : acting.name}. Change the account above, and these change with it.
        </p>
      )}
      <Tabs
        label="Ways to send a request"
        selected={selected}
        onSelect={select}
        tabs={[
          tab('curl', curlOf({ method: 'GET', path }, acting)),
          tab('fetch', fetchSnippet(address, acting)),
          ...(hasRepository ? [tab('client', clientSnippet(path, acting))] : []),
        ]}
      />
    </section>
  );
};
