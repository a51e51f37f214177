/** The bytes of a file: a viewer, where they lie, their hash, a test of ranges, and the media that use them. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { baseUrl } from '../api/address.ts';
import { useActing } from '../api/acting.ts';
import { useAnswer } from '../api/queries.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { FileFacts } from './file-facts.tsx';
import { RangeTest } from './range-test.tsx';
import { Refused } from '../ui/refused.tsx';
import { fieldsOf, textIn, type Fields } from './representation.ts';
import { useList } from './summaries.ts';
import { Viewer, type BytesOf } from './viewer.tsx';

export const FileTab = ({ id }: { readonly id: number }): ReactElement => (
  <div className="stack">
    <FileBytes id={id} />
    <section>
      <h2>Media that use it</h2>
      <Using id={id} />
    </section>
  </div>
);

/** Asks for the file as the account that asks. `heading` is the level of its headings. */
export const FileBytes = ({ id }: { readonly id: number }): ReactElement => {
  const answer = useAnswer(useActing(), `/entity/file/${id}?_format=json`);
  return (
    <Loaded query={answer} what="the file">
      {(data) => {
        const fields = fieldsOf(data);
        const file = fields === undefined ? undefined : bytesOf(fields);
        if (fields === undefined) return <Refused answer={data} what={`the file ${id}`} />;
        if (file === undefined) return <Empty title="The file has no address." />;
        return (
          <div className="stack">
            <Viewer key={file.address} file={file} />
            <FileFacts id={id} file={file} uri={textIn(fields['uri']?.[0], 'value') ?? ''} />
            <RangeTest key={`range ${file.address}`} file={file} />
          </div>
        );
      }}
    </Loaded>
  );
};

const bytesOf = (fields: Fields): BytesOf | undefined => {
  const url = textIn(fields['uri']?.[0], 'url');
  if (url === undefined) return undefined;
  const size = textIn(fields['filesize']?.[0], 'value');
  return {
    address: new URL(url, `${baseUrl}/`).href,
    name: textIn(fields['filename']?.[0], 'value') ?? 'file',
    mime: textIn(fields['filemime']?.[0], 'value') ?? '',
    size: size === undefined ? undefined : Number(size),
  };
};

const Using = ({ id }: { readonly id: number }): ReactElement => {
  const list = useList({ type: 'media', file: String(id) });
  return (
    <Loaded query={list} what="the media">
      {({ entities }) =>
        entities.length === 0 ? (
          <Empty title="No media uses this file." />
        ) : (
          <ul>
            {entities.map((media) => (
              <li key={media.id}>
                <Link to="/entities/$type/$id" params={{ type: 'media', id: String(media.id) }}>
                  {media.title}
                </Link>{' '}
                <span className="soft">{[media.bundle, media.model].filter(Boolean).join(', ')}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
};
