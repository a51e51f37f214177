/** The one way to add a media to an object: a button, and a file that is dropped anywhere on the page of the object. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react';
import { modelQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/states.tsx';
import { typesWithFiles } from '../model.ts';
import { useUploadRun } from './upload-run.tsx';

// The page of an object is read more often than added to.
const AttachForm = lazy(async () => ({ default: (await import('./attach-file.tsx')).AttachForm }));

export const AddMedia = ({ node }: { readonly node: string }): ReactElement | undefined => {
  const { data: model } = useQuery(modelQuery);
  const navigate = useNavigate();
  const run = useUploadRun();
  const [isOpen, setOpen] = useState(false);
  const [file, setFile] = useState<File>();
  const isOver = useDrops((dropped) => {
    if (run.isRunningNow()) return;
    setFile(dropped);
    setOpen(true);
  });
  if (model === undefined) return undefined;
  const hasFiles = typesWithFiles(model).length > 0;
  const others = model.bundles.filter(({ type, source }) => type === 'media' && source?.kind === 'oembed');
  const show = (media: string | undefined): void => {
    setOpen(false);
    const search = { tab: 'media', ...(media === undefined ? {} : { media }) };
    void navigate({ to: '/entities/$type/$id', params: { type: 'node', id: node }, search });
  };
  return (
    <>
      {isOver && <div className="drop-here">Drop the file to add it to this object.</div>}
      <Dialog
        title="Add media"
        isOpen={isOpen}
        // An upload is cancelled by its own button, so that nobody loses one by a click beside the dialog.
        onOpenChange={(next) => {
          if (run.isRunningNow()) return;
          setOpen(next);
          if (!next) setFile(undefined);
        }}
        trigger={<Button>Add media</Button>}
      >
        {hasFiles && (
          <Suspense fallback={<Loading what="the form" />}>
            <AttachForm {...{ model, node, run, file }} onFile={setFile} onDone={show} />
          </Suspense>
        )}
        {others.map(({ bundle, label }) => (
          <p key={bundle}>
            <Link to="/create" search={{ type: 'media', bundle, field_media_of: node }}>
              Add one without a file: {label}
            </Link>
          </p>
        ))}
      </Dialog>
    </>
  );
};

/** Calls back with a file that is dropped on the page. Returns whether one is over it. */
const useDrops = (onDrop: (file: File) => void): boolean => {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      event.preventDefault();
      onDrop(file);
    };
    const listeners = { dragover: over, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name as 'drop', listener);
    };
  });
  return isOver;
};
