/** An input for a reference: searches the records that the field may lead to, and shows the title of the chosen one. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { control } from '../api/control.ts';
import { queries } from '../api/queries.ts';
import { Combobox, type Option } from '../ui/combobox.tsx';
import type { EntityType } from './model.ts';
import { summaryQuery } from './summary.ts';

/** The attributes of any input of the form. */
export type InputAttributes = {
  readonly id: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-required'?: true | undefined;
};

type ReferenceInputProps = {
  readonly attributes: InputAttributes;
  readonly target: { readonly type: string; readonly bundles?: readonly string[] };
  /** The id, or whatever else was sent. Empty: none. */
  readonly id: string;
  readonly onChange: (id: string) => void;
};

/** Digits that are typed are an id, also of a record that does not exist: the server decides. */
export const ReferenceInput = ({ attributes, target, id, onChange }: ReferenceInputProps): ReactElement => {
  const [typed, setTyped] = useState<string>();
  const found = useFound(target, typed);
  const title = useTitle(target.type, id);
  const options = (found.data ?? []).map(({ id: each, title: label, bundle }) => ({
    ...{ value: String(each), label },
    detail: `${bundle} ${each}`,
  }));
  const status = found.isError ? 'The search failed.' : found.data === undefined ? 'Searching …' : statusOf(options);
  const change = (text: string): void => {
    setTyped(text);
    if (/^\d*$/.test(text.trim())) onChange(text.trim());
  };
  const choose = (value: string): void => {
    const chosen = found.data?.find((each) => String(each.id) === value);
    // Its title is known already, so it is shown at once.
    if (chosen !== undefined) queries.setQueryData(summaryQuery(chosen.type, value).queryKey, chosen);
    setTyped(undefined);
    onChange(value);
  };
  return (
    <>
      <Combobox
        attributes={attributes}
        text={typed ?? (id === '' ? '' : (title ?? id))}
        onText={change}
        options={options}
        status={status}
        onChoose={({ value }) => choose(value)}
        onLeave={() => setTyped(undefined)}
        placeholder="Search by title, or enter an id"
      />
      {id !== '' && (
        <span className="hint">
          {target.type} {id}
        </span>
      )}
    </>
  );
};

const most = 20;

const statusOf = (options: readonly Option[]): string => {
  if (options.length === 0) return 'Nothing found. Search for another part of the title.';
  if (options.length === most) return `The first ${most} of them. Type more to find others.`;
  return options.length === 1 ? '1 found.' : `${options.length} found.`;
};

/** Milliseconds after the last key. */
const pause = 150;

/** What a search has found. Undefined while the user types and while it is awaited, so the list fits the text. */
const useFound = ({ type, bundles }: ReferenceInputProps['target'], typed: string | undefined) => {
  const wanted = (typed ?? '').trim();
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(wanted), pause);
    return () => clearTimeout(timer);
  }, [wanted]);
  const query = {
    type: type as EntityType, // the form asks only for references to records
    ...(bundles === undefined ? {} : { bundle: bundles.join(',') }),
    ...(text === '' ? {} : { text }),
    ...({ order: 'title', limit: String(most) } as const),
  };
  const { data, isError } = useQuery({
    queryKey: ['entities', query],
    queryFn: async () => (await control.ask('listEntities', { query })).entities,
  });
  return { isError, data: text === wanted ? data : undefined };
};

/** The title of a record. Undefined while it is awaited, and for a record that does not exist. */
const useTitle = (type: string, id: string): string | undefined => {
  const { data } = useQuery({
    ...summaryQuery(type as EntityType, id), // the form asks only for references to records
    enabled: /^\d{1,15}$/.test(id),
  });
  return data?.title;
};
