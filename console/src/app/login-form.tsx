/** The form for any account, with a password, a token or a session. */
import { useState, type SubmitEvent, type ReactElement } from 'react';
import { actAs, checkPassword, schemes, type Scheme } from '../api/acting.ts';
import { contentHasChanged } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/states.tsx';
import { Field } from '../ui/text.tsx';

const names: Readonly<Record<Scheme, string>> = {
  password: 'with each request (Basic)',
  token: 'once, for a JSON Web Token (Bearer)',
  session: 'once, for a session cookie',
};

export const LoginForm = ({ onDone }: { readonly onDone: () => void }): ReactElement => {
  const [error, setError] = useState<unknown>();
  const [scheme, setScheme] = useState<Scheme>('password');
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [name, password] = ['name', 'password'].map((key) => form.get(key));
    if (typeof name !== 'string' || typeof password !== 'string') return;
    const checked = scheme === 'password' ? checkPassword(name, password) : Promise.resolve();
    checked
      .then(() => actAs({ name, password, scheme }))
      .then(async () => {
        onDone();
        await contentHasChanged();
      }, setError);
  };
  return (
    <form className="stack" onSubmit={submit}>
      {error !== undefined && <Failure error={error} />}
      <Field label="Name">
        {(attributes) => <input {...attributes} name="name" autoComplete="username" required />}
      </Field>
      <Field label="Password">
        {(attributes) => (
          <input {...attributes} name="password" type="password" autoComplete="current-password" required />
        )}
      </Field>
      <fieldset className="field">
        <legend>The console sends the password</legend>
        {schemes.map((each) => (
          <label key={each}>
            <input type="radio" name="scheme" checked={scheme === each} onChange={() => setScheme(each)} />{' '}
            {names[each]}
          </label>
        ))}
      </fieldset>
      <div className="row">
        <Button type="submit" look="main">
          Sign in
        </Button>
      </div>
    </form>
  );
};
