/** What the page shows after a deletion: where to go, and how to make the record again. */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/text.tsx';
import { CreateForm } from './create-page.tsx';
import { draftAgain } from './again.ts';
import type { JsonObject, ModelBundle } from './model.ts';

type DeletedProps = {
  readonly bundle: ModelBundle;
  readonly title: string;
  readonly record: JsonObject;
};

export const Deleted = ({ bundle, title, record }: DeletedProps): ReactElement => {
  const [isAgain, setAgain] = useState(false);
  const choices = useRef<HTMLDivElement>(null);
  // What had the focus is gone with the form.
  useEffect(() => choices.current?.focus(), []);
  return (
    <>
      <PageHead title={`Deleted: ${title}`} />
      <div className="note good stack" tabIndex={-1} ref={choices}>
        <p>The record is gone. What referred to it is still there.</p>
        <div className="row">
          <Link className="button" to="/repository">
            Go to the repository
          </Link>
          {bundle.createPath !== undefined && !isAgain && (
            <Button onClick={() => setAgain(true)}>Create it again, with another id</Button>
          )}
          <Link className="button" to="/worlds">
            Put the world back as it was
          </Link>
        </div>
      </div>
      {isAgain && <CreateForm bundle={bundle} draft={draftAgain(bundle, record)} />}
    </>
  );
};
