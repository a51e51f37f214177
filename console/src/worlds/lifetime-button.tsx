/** Changes when a world expires. */
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { control } from '../api/control.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/text.tsx';
import { act } from './act.ts';

export const LifetimeButton = ({ name }: { readonly name: string }): ReactElement => {
  const [isOpen, setOpen] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const minutes = new FormData(event.currentTarget).get('minutes');
    const ttl = minutes === '' ? null : Number(minutes) * 60;
    setOpen(false);
    void act(
      () => control.ask('changeWorld', { path: { world_name: name }, body: { ttl } }),
      ttl === null ? `${name} does not expire.` : `${name} expires in ${ttl / 60} minutes.`,
    );
  };
  return (
    <Dialog
      title={`When does ${name} expire?`}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<Button>Lifetime</Button>}
    >
      <form className="stack" onSubmit={submit}>
        <Field label="Expires after (minutes)" hint="Leave empty to keep it">
          {(attributes) => <input {...attributes} name="minutes" type="number" min="1" max="10080" />}
        </Field>
        <div className="row">
          <Button type="submit" look="main">
            Set
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
