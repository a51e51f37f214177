/** Where the bytes of a file lie, how many there are, of which type, and their hash. */
import type { ReactElement } from 'react';
import { pathInWorld } from '../api/address.ts';
import { useActing } from '../api/acting.ts';
import { useAnswer } from '../api/queries.ts';
import { Loaded } from '../ui/states.tsx';
import { jsonOf, messageOf } from './representation.ts';
import { sizeText } from '../ui/size-text.ts';
import type { BytesOf } from './viewer.tsx';

type FileFactsProps = { readonly id: number; readonly file: BytesOf; readonly uri: string };

export const FileFacts = ({ id, file, uri }: FileFactsProps): ReactElement => (
  <section>
    <h2>The file</h2>
    <dl className="object-fields">
      <div>
        <dt>Name</dt>
        <dd dir="auto">{file.name}</dd>
      </div>
      <div>
        <dt>Where the bytes lie</dt>
        <dd>
          <code>{uri}</code>
        </dd>
      </div>
      <div>
        <dt>Address</dt>
        <dd>
          <code>{file.address}</code>
        </dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>
          {sizeText(file.size ?? 0)} ({(file.size ?? 0).toLocaleString('en')})
        </dd>
      </div>
      <div>
        <dt>MIME type</dt>
        <dd>{file.mime}</dd>
      </div>
      <div>
        <dt>Hash</dt>
        <dd>
          <Hash id={id} />
        </dd>
      </div>
    </dl>
  </section>
);

/** The list of Islandora that computes checksums. It is empty for an account that may not view the file. */
const Hash = ({ id }: { readonly id: number }): ReactElement => {
  const path = `/checksum/${id}?_format=json`;
  const answer = useAnswer(useActing(), path);
  return (
    <Loaded query={answer} what="the hash">
      {(data) => {
        if (data.status !== 200) return <>{`${pathInWorld(path) ?? path}: ${data.status} ${messageOf(data)}`}</>;
        const hashes = hashesIn(jsonOf(data.text ?? ''));
        if (hashes.length === 0) return <>{path} returns an empty list: this account may not see the hash.</>;
        return (
          <>
            {hashes.map(([name, value]) => (
              <div key={name}>
                {name} <code>{value}</code>
              </div>
            ))}
          </>
        );
      }}
    </Loaded>
  );
};

const hashesIn = (body: unknown): readonly (readonly [string, string])[] =>
  (Array.isArray(body) ? body : []).flatMap((row: unknown) =>
    Object.entries(Object(row) as Record<string, unknown>).flatMap(([name, value]) =>
      // a row is an object
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  );
