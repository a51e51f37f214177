/** The keys of the console, and the dialog that lists them. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactElement } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { useQuery } from '@tanstack/react-query';
import { repositoryQuery } from '../api/queries.ts';
import { destinationsOf } from './navigation.ts';

/** Milliseconds in which the second key of a pair must follow. */
const pairTime = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The search field of a page has this attribute, so that `/` finds it. */
const searchField = '[data-search-field]';

/** `/` goes to the search, `g` and a letter to a page, `?` shows the keys. None works while the user types. */
export const Shortcuts = (): ReactElement => {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(repositoryQuery);
  const destinations = destinationsOf(data);
  useEffect(() => {
    let goPressed = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = performance.now() - goPressed < pairTime;
      goPressed = event.key === 'g' ? performance.now() : 0;
      const destination = isSecond ? destinationsOf(data).find(({ key }) => key === event.key) : undefined;
      if (destination !== undefined) void navigate({ to: destination.to });
      else if (event.key === '?') setOpen(true);
      else if (event.key !== '/') return;
      else {
        const field = document.querySelector<HTMLElement>(searchField);
        if (field !== null) field.focus();
        else if (data?.hasRepository !== false) void navigate({ to: '/repository', search: { focus: 'search' } });
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, data]);
  return (
    <Dialog title="Keys" isOpen={isOpen} onOpenChange={setOpen}>
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          <KeyRow keys="/" text="Go to the search" />
          {destinations.map(({ key, label }) => (
            <KeyRow key={key} keys={`g ${key}`} text={`Open "${label}"`} />
          ))}
          <KeyRow keys="Esc" text="Close what is open" />
          <KeyRow keys="?" text="Show these keys" />
        </tbody>
      </table>
    </Dialog>
  );
};

const KeyRow = ({ keys, text }: { readonly keys: string; readonly text: string }): ReactElement => (
  <tr>
    <td>
      <kbd>{keys}</kbd>
    </td>
    <td>{text}</td>
  </tr>
);
