/** Shows the bytes of a file: an image, a player, a PDF, or text. What was uploaded never runs here. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { bytesQuery, useAnswer } from '../api/queries.ts';
import { pathInWorld } from '../api/address.ts';
import { Button } from '../ui/button.tsx';
import { Failure, Loaded, Loading } from '../ui/states.tsx';
import { Refused } from '../ui/refused.tsx';
import { sizeText } from '../ui/size-text.ts';

export type BytesOf = {
  /** Absolute, of this world. */
  readonly address: string;
  readonly name: string;
  /** The media type, without parameters. */
  readonly mime: string;
  /** In bytes, where it is known. */
  readonly size: number | undefined;
};

/** A larger file is loaded when the user wants it. */
const largest = 20 * 1024 * 1024;
const largestText = 512 * 1024;

/** `key` it by the address. */
export const Viewer = ({ file }: { readonly file: BytesOf }): ReactElement => {
  const [isWanted, setWanted] = useState((file.size ?? 0) <= largest);
  if (isWanted) return isText(file) ? <TextView file={file} /> : <Loader file={file} />;
  return <Button onClick={() => setWanted(true)}>Load {sizeText(file.size ?? 0)}</Button>;
};

/** HTML and XML are shown as text. SVG is an image: in an `img` no script of it runs. */
const isText = ({ mime, size }: BytesOf): boolean =>
  (/^text\//.test(mime) || /^application\/(?:[\w.+-]*[+]?(?:json|xml)|javascript|xhtml\+xml)$/.test(mime)) &&
  (size ?? 0) <= largestText;

const TextView = ({ file }: { readonly file: BytesOf }): ReactElement => {
  const answer = useAnswer(useActing(), pathInWorld(file.address) ?? file.address);
  return (
    <Loaded query={answer} what="the text">
      {(data) =>
        data.status === 200 ? (
          <pre className="text-view" tabIndex={0} role="region" aria-label={`The text of ${file.name}`} dir="auto">
            {data.text}
          </pre>
        ) : (
          <Refused answer={data} what="these bytes" />
        )
      }
    </Loaded>
  );
};

const Loader = ({ file }: { readonly file: BytesOf }): ReactElement => {
  const bytes = useQuery(bytesQuery(useActing(), file.address));
  if (bytes.isError) return <Failure error={bytes.error} onRetry={() => void bytes.refetch()} />;
  if (bytes.data === undefined) return <Loading what={`the bytes, ${sizeText(file.size ?? 0)}`} />;
  return (
    <div className="stack">
      <Shown file={file} source={bytes.data} />
      <p className="row">
        <a className="button" href={bytes.data} download={file.name}>
          Save {file.name}
        </a>
      </p>
    </div>
  );
};

const Shown = ({ file, source }: { readonly file: BytesOf; readonly source: string }): ReactElement => {
  const { mime, name } = file;
  const [isUnknown, setUnknown] = useState(false);
  if (isUnknown) return <p>This browser cannot show {mime}. Save the file to look at it.</p>;
  const onError = (): void => setUnknown(true);
  if (mime.startsWith('image/')) return <img className="shown-image" src={source} alt={name} onError={onError} />;
  if (mime.startsWith('audio/')) return <audio controls src={source} aria-label={name} onError={onError} />;
  if (mime.startsWith('video/')) {
    return <video className="shown-image" controls src={source} aria-label={name} onError={onError} />;
  }
  if (mime === 'application/pdf' && navigator.pdfViewerEnabled) {
    return <iframe className="shown-page" src={source} title={name} />;
  }
  return <p>The console shows no {mime === '' ? 'bytes of an unknown type' : mime}. Save the file to look at it.</p>;
};
