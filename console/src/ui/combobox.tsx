/**
 * An input with a list to choose from. Keys as in the combobox pattern of the ARIA Authoring Practices: ↓ and ↑ go through the
 * list, Enter takes one, Esc closes it; the focus stays in the input.
 */
import { useId, useState, type KeyboardEvent, type ReactElement } from 'react';

export type Option = { readonly value: string; readonly label: string; readonly detail?: string };

type ComboboxProps = {
  /** The attributes of the input, such as those that `Field` makes. */
  readonly attributes: { readonly id?: string } & Readonly<Record<`aria-${string}`, string | boolean | undefined>>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly options: readonly Option[];
  /** Says how many there are, or that they are awaited. Screen readers read it out while the list is open. */
  readonly status: string;
  readonly onChoose: (option: Option) => void;
  /** The user has left the input. */
  readonly onLeave?: () => void;
  readonly placeholder?: string;
};

/** The caller finds the options for the text. */
export const Combobox = (props: ComboboxProps): ReactElement => {
  const { attributes, text, options, status, placeholder } = props;
  const listId = useId();
  const list = useList(props);
  const isShown = list.isOpen && options.length > 0;
  return (
    <div className="combobox">
      <input
        {...attributes}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-activedescendant={isShown && list.active >= 0 ? `${listId}-${list.active}` : undefined}
        value={text}
        dir="auto"
        placeholder={placeholder}
        onChange={({ target }) => list.type(target.value)}
        onClick={list.open}
        onKeyDown={list.press}
        onBlur={list.leave}
      />
      {list.isOpen && (
        <div className="combobox-list">
          {isShown && <Options {...{ listId, options, list }} />}
          <p className="soft" role="status">
            {status}
          </p>
        </div>
      )}
    </div>
  );
};

type OptionsProps = { readonly listId: string; readonly options: readonly Option[]; readonly list: List };

const Options = ({ listId, options, list }: OptionsProps): ReactElement => (
  <ul id={listId} role="listbox" aria-label="Found">
    {options.map((option, index) => (
      <li
        key={option.value}
        id={`${listId}-${index}`}
        role="option"
        aria-selected={index === list.active}
        ref={index === list.active ? scrollIntoView : undefined}
        onMouseDown={(event) => event.preventDefault()} // the focus stays in the input
        onClick={() => list.choose(option)}
      >
        <bdi>{option.label}</bdi> {option.detail !== undefined && <span className="detail">{option.detail}</span>}
      </li>
    ))}
  </ul>
);

const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

type List = {
  readonly isOpen: boolean;
  /** -1: none. */
  readonly active: number;
  readonly open: () => void;
  readonly leave: () => void;
  readonly type: (text: string) => void;
  readonly choose: (option: Option) => void;
  readonly press: (event: KeyboardEvent) => void;
};

const useList = ({ options, onText, onChoose, onLeave }: ComboboxProps): List => {
  const [isOpen, setOpen] = useState(false);
  const [marked, setActive] = useState(-1);
  const active = Math.min(marked, options.length - 1);
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (option: Option): void => {
    close();
    onChoose(option);
  };
  const move = (by: number): void => {
    setOpen(true);
    const count = options.length;
    if (count > 0) setActive(active < 0 ? (by > 0 ? 0 : count - 1) : (active + by + count) % count);
  };
  const press = (event: KeyboardEvent): void => {
    const option = isOpen ? options[active] : undefined;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && option !== undefined) choose(option);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };
  const leave = (): void => {
    close();
    onLeave?.();
  };
  const type = (text: string): void => {
    setOpen(true);
    setActive(-1);
    onText(text);
  };
  return { isOpen, active, open: () => setOpen(true), leave, type, choose, press };
};
