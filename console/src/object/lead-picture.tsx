/** The picture at the head of an entity's page. */
import { useState, type ReactElement } from 'react';
import type { EntitySummary } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { changeAccount } from '../ui/change-account.ts';
import { usePicture, useWhoMaySee } from './pictures.ts';

/** Nothing for an entity without a picture. Where the account may see none, it says who may. */
export const LeadPicture = ({ entity }: { readonly entity: EntitySummary }): ReactElement | undefined => {
  const picture = usePicture(entity);
  const [broken, setBroken] = useState<string | null>();
  if (picture === undefined || (picture.source !== undefined && picture.source === broken)) return undefined;
  // The title keeps its place when the picture comes.
  if (picture.source === undefined) return <div className="lead-picture lead-waiting" />;
  if (picture.source === null) return <Hidden addresses={picture.addresses} />;
  // The title next to it says what it shows.
  return <img className="lead-picture" src={picture.source} alt="" onError={() => setBroken(picture.source)} />;
};

const Hidden = ({ addresses }: { readonly addresses: readonly string[] }): ReactElement => {
  const account = useWhoMaySee(addresses);
  const { name, password } = account ?? {};
  return (
    <div className="lead-picture lead-hidden">
      <p>It has a picture that you may not see.</p>
      {name !== undefined && password !== undefined && (
        <Button look="main" onClick={() => void changeAccount({ name, password, scheme: 'password' })}>
          See it as {name}
        </Button>
      )}
    </div>
  );
};
