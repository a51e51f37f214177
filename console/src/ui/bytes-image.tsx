/** An image whose bytes are fetched with the credentials of the account that asks. */
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactElement } from 'react';
import { useActing } from '../api/acting.ts';
import { bytesQuery } from '../api/queries.ts';

type BytesImageProps = { readonly address: string; readonly alt: string; readonly className?: string };

/** An `img` shows scripts of SVG files never, because browsers do not run them there. */
export const BytesImage = ({ address, alt, className }: BytesImageProps): ReactElement => {
  const bytes = useQuery(bytesQuery(useActing(), address));
  const [broken, setBroken] = useState<string>();
  const isBroken = bytes.isError || (bytes.data !== undefined && bytes.data === broken);
  if (bytes.data === undefined || isBroken)
    return <span className={`soft ${className ?? ''}`}>{isBroken ? 'No image' : 'Loading the image …'}</span>;
  const onError = (): void => setBroken(bytes.data);
  return <img className={className} src={bytes.data} alt={alt} loading="lazy" onError={onError} />;
};
