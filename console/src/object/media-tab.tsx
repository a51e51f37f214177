/** The bytes of a media: those of the files in its source field, or the address that it has instead. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { modelQuery, useAnswer } from '../api/queries.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { FileBytes } from './file-tab.tsx';
import { Refused } from '../ui/refused.tsx';
import { fieldsOf, textIn, type Fields } from './representation.ts';

type MediaTabProps = {
  /** The media as JSON, within the world. */
  readonly path: string;
  readonly bundle: string;
};

export const MediaTab = ({ path, bundle }: MediaTabProps): ReactElement => {
  const answer = useAnswer(useActing(), path);
  const model = useQuery(modelQuery);
  const source = model.data?.bundles.find((each) => each.type === 'media' && each.bundle === bundle)?.source;
  return (
    <Loaded query={answer} what="the media">
      {(data) => {
        const fields = fieldsOf(data);
        if (fields === undefined) return <Refused answer={data} what="this media" />;
        return <Source fields={fields} field={source?.field ?? ''} />;
      }}
    </Loaded>
  );
};

const Source = ({ fields, field }: { readonly fields: Fields; readonly field: string }): ReactElement => {
  const [item] = fields[field] ?? [];
  const file = textIn(item, 'target_id');
  const address = textIn(item, 'value');
  if (file !== undefined) {
    return (
      <div className="stack">
        <FileBytes id={Number(file)} />
        <p>
          <Link to="/entities/$type/$id" params={{ type: 'file', id: file }}>
            The page of the file {file}
          </Link>
        </p>
      </div>
    );
  }
  if (address === undefined) return <Empty title="This media has no source yet." />;
  return (
    <p>
      Its content is at another place:{' '}
      <a href={address} target="_blank" rel="noreferrer">
        {address}
      </a>
    </p>
  );
};
