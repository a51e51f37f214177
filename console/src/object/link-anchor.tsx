/** The anchor of a link, in the drawing as in the list. */
import { Link as RouterLink } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import type { Link } from '../../../src/client/client.ts';
import type { EntityKey } from './entity-address.ts';
import { destinationOf } from './link-target.ts';

type LinkAnchorProps = {
  readonly link: Link;
  /** The entity whose links these are. */
  readonly of: EntityKey;
  readonly children: ReactNode;
  readonly className?: string;
  /** True for a second anchor of the same link, which the keyboard need not reach. */
  readonly isSecond?: boolean;
};

export const LinkAnchor = ({ link, of, children, className, isSecond = false }: LinkAnchorProps): ReactElement => {
  const destination = destinationOf(link);
  const shared = { className, ...(isSecond ? { tabIndex: -1, 'aria-hidden': true } : {}) };
  if (destination.kind === 'address') {
    return (
      <a {...shared} href={destination.address} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  }
  const { type, id } = destination.kind === 'entity' ? destination.entity : of;
  const search = {
    entity: { tab: 'links' },
    bytes: { tab: 'media' },
    form: { tab: 'wire', ...(destination.kind === 'form' ? { form: destination.form } : {}) },
  }[destination.kind];
  return (
    <RouterLink {...shared} to="/entities/$type/$id" params={{ type, id: String(id) }} search={search}>
      {children}
    </RouterLink>
  );
};
