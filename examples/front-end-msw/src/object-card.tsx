/** Shows one object with its members, and renames it. */
import { isAtollError } from 'atoll-server/client';
import { useEffect, useState, type FormEvent } from 'react';
import type { ObjectOfRepository, Repository } from './repository.ts';

type State = { readonly object?: ObjectOfRepository; readonly problem?: string };

export const ObjectCard = ({ id, repository }: { readonly id: number; readonly repository: Repository }) => {
  const [{ object, problem }, setState] = useState<State>({});
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let isShown = true;
    repository.read(id).then(
      (read) => isShown && setState({ object: read }),
      (error: unknown) => isShown && setState({ problem: problemOf(error) }),
    );
    return () => {
      isShown = false;
    };
  }, [id, repository, attempt]);

  const rename = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get('title'));
    try {
      await repository.rename(id, title);
      setAttempt(attempt + 1);
    } catch (error) {
      setState({ object, problem: problemOf(error) });
    }
  };

  return (
    <article>
      {problem !== undefined && (
        <p role="alert">
          {problem} <button onClick={() => setAttempt(attempt + 1)}>Try again</button>
        </p>
      )}
      {object === undefined && problem === undefined && <p role="status">Reading…</p>}
      {object !== undefined && (
        <>
          <h1>{object.title}</h1>
          <form onSubmit={(event) => void rename(event)}>
            <input name="title" aria-label="New title" defaultValue={object.title} />
            <button>Rename</button>
          </form>
          {object.members.length === 0 ? <p>It has no members.</p> : null}
          <ul>
            {object.members.map((member) => (
              <li key={member.id}>{member.title}</li>
            ))}
          </ul>
        </>
      )}
    </article>
  );
};

const problemOf = (error: unknown): string => {
  if (isAtollError(error, 404)) return 'There is no such object.';
  if (isAtollError(error, 503)) return 'The repository is being maintained.';
  if (isAtollError(error)) return `The repository refused: ${error.message}`;
  return 'The repository cannot be reached.';
};
