/** Asks for the control token where the server wants one. */
import type { SubmitEvent, ReactElement } from 'react';
import { controlToken } from '../api/control.ts';
import { queries } from '../api/queries.ts';
import { wordsOf } from '../api/refusal.ts';
import { Button } from '../ui/button.tsx';
import { Field, PageHead } from '../ui/text.tsx';

/** `error` is the refusal of the control interface. */
export const TokenForm = ({ error }: { readonly error: unknown }): ReactElement => {
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get('token');
    if (typeof token !== 'string') return;
    controlToken.set(token);
    void queries.resetQueries();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <PageHead title="The console needs the control token">
        The server was started with <code>--control-token</code>. The token is kept until you close this tab.
      </PageHead>
      <Field label="Control token" error={controlToken.get() === undefined ? undefined : wordsOf(error)}>
        {(attributes) => <input {...attributes} name="token" type="password" autoComplete="off" required />}
      </Field>
      {controlToken.get() === undefined && <p>{wordsOf(error)}</p>}
      <div className="row">
        <Button type="submit" look="main">
          Open the console
        </Button>
      </div>
    </form>
  );
};
