/** What the page shows after a deletion: where to go, and how to put the record back. */
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactElement } from 'react';
import { wordsOf } from '../api/refusal.ts';
import { Button } from '../ui/button.tsx';
import { PageHead } from '../ui/text.tsx';
import { say } from '../ui/toast.tsx';
import type { Undo } from './undo-deletion.ts';

export const Deleted = ({ title, undo }: { readonly title: string; readonly undo: Undo }): ReactElement => {
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
          {undo !== undefined && (
            <Button onClick={() => void undo().then(say, (error: unknown) => say(`Not put back: ${wordsOf(error)}`))}>
              Put it back
            </Button>
          )}
          <Link className="button" to="/worlds">
            Put the world back as it was
          </Link>
        </div>
      </div>
    </>
  );
};
