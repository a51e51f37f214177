/** A field of the form: its items, each with its inputs and errors; more items, fewer, another order. */
import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { emptyItem, type DraftChange, type DraftItem } from './draft.ts';
import type { FieldErrors } from './errors.ts';
import type { ModelField } from './model.ts';
import { PartInput } from './part-input.tsx';
import { mainPart, partsOf, type Part } from './parts.ts';

type FieldEditorProps = {
  readonly field: ModelField;
  /** Whether a record without it is refused. What the server fills is not. */
  readonly isRequired: boolean;
  readonly items: readonly DraftItem[];
  readonly errors: FieldErrors | undefined;
  readonly onChange: (change: DraftChange) => void;
  /** The element below an item, such as an upload for it. */
  readonly below?: ((item: DraftItem) => ReactNode) | undefined;
};

export const FieldEditor = ({ field, isRequired, items, errors, onChange, below }: FieldEditorProps): ReactElement => {
  const { group, add, remove } = useFocusOfItems(field, onChange);
  const id = useId();
  const most = field.cardinality ?? Infinity;
  const described = [
    ...(field.description === undefined ? [] : [`${id}-hint`]),
    ...(errors === undefined ? [] : [`${id}-list`]),
  ];
  return (
    <fieldset className="field form-field" ref={group} aria-describedby={described.join(' ') || undefined}>
      <legend>
        <bdi>{field.label}</bdi> {isRequired && <span className="soft">(required)</span>}{' '}
        <code className="field-name">{field.name}</code>
      </legend>
      {field.description !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {field.description}
        </span>
      )}
      {errors !== undefined && errors.list.length > 0 && (
        <span className="error" id={`${id}-list`} data-list-error tabIndex={-1}>
          {errors.list.join('\n')}
        </span>
      )}
      {items.map((item, index) => (
        <ItemEditor
          key={item.key}
          {...{ field, isRequired, item, index, onChange, below }}
          count={items.length}
          hasListError={(errors?.list.length ?? 0) > 0}
          errors={errors?.items[item.key]}
          onRemove={() => remove(item.key)}
        />
      ))}
      {items.length < most && (
        <div className="row">
          <Button data-add onClick={add}>
            {items.length === 0 ? 'Add a value' : 'Add another value'}{' '}
            <span className="visually-hidden">of {field.label}</span>
          </Button>
        </div>
      )}
    </fieldset>
  );
};

/** After an item was added the focus is in it; after one was removed it is on the button that adds. */
const useFocusOfItems = (field: ModelField, onChange: FieldEditorProps['onChange']) => {
  const group = useRef<HTMLFieldSetElement>(null);
  const next = useRef<'added' | 'removed'>(undefined);
  useEffect(() => {
    if (next.current === undefined) return;
    const inputs = group.current?.querySelectorAll<HTMLElement>('input, select, textarea');
    const button = group.current?.querySelector<HTMLElement>('[data-add]');
    const partCount = partsOf(field).length;
    const target = next.current === 'added' ? inputs?.[inputs.length - partCount] : (button ?? inputs?.[0]);
    next.current = undefined;
    target?.focus();
  });
  const add = (): void => {
    next.current = 'added';
    onChange({ kind: 'add', item: emptyItem(field) });
  };
  const remove = (key: number): void => {
    next.current = 'removed';
    onChange({ kind: 'remove', key });
  };
  return { group, add, remove };
};

type ItemEditorProps = Pick<FieldEditorProps, 'field' | 'isRequired' | 'onChange' | 'below'> & {
  readonly item: DraftItem;
  readonly index: number;
  readonly count: number;
  readonly hasListError: boolean;
  readonly errors: Readonly<Record<string, readonly string[]>> | undefined;
  readonly onRemove: () => void;
};

const ItemEditor = (props: ItemEditorProps): ReactElement => {
  const { field, isRequired, item, index, count, errors, onChange, onRemove, below } = props;
  const main = mainPart(field);
  return (
    <div className="item">
      <div className="item-parts">
        {partsOf(field).map((part) => (
          <PartEditor
            key={part.property}
            {...{ field, isRequired, part, index }}
            isMany={field.cardinality !== 1}
            isInvalid={part.property === main.property && props.hasListError}
            text={item.texts[part.property] ?? ''}
            error={errors?.[part.property]?.join('\n')}
            onText={(text) => onChange({ kind: 'text', key: item.key, property: part.property, text })}
          />
        ))}
        {below?.(item)}
      </div>
      {field.cardinality !== 1 && (
        <div className="row item-buttons">
          <ItemButton
            label="Move up"
            sign="↑"
            {...{ field, index }}
            isOff={index === 0}
            run={() => onChange({ kind: 'move', key: item.key, by: -1 })}
          />
          <ItemButton
            label="Move down"
            sign="↓"
            {...{ field, index }}
            isOff={index === count - 1}
            run={() => onChange({ kind: 'move', key: item.key, by: 1 })}
          />
          <ItemButton label="Remove" sign="✕" {...{ field, index }} run={onRemove} />
        </div>
      )}
    </div>
  );
};

type ItemButtonProps = {
  readonly label: string;
  readonly sign: string;
  readonly field: ModelField;
  readonly index: number;
  readonly isOff?: boolean;
  readonly run: () => void;
};

const ItemButton = ({ label, sign, field, index, isOff = false, run }: ItemButtonProps): ReactElement => (
  <Button aria-label={`${label} value ${index + 1} of ${field.label}`} title={label} disabled={isOff} onClick={run}>
    <span aria-hidden="true">{sign}</span>
  </Button>
);

type PartEditorProps = {
  readonly field: ModelField;
  readonly isRequired: boolean;
  readonly part: Part;
  readonly index: number;
  readonly isMany: boolean;
  readonly isInvalid: boolean;
  readonly text: string;
  readonly error: string | undefined;
  readonly onText: (text: string) => void;
};

/** A field with one input needs no second label that is seen. */
const PartEditor = ({
  field,
  isRequired,
  part,
  index,
  isMany,
  isInvalid,
  text,
  error,
  onText,
}: PartEditorProps): ReactElement => {
  const id = useId();
  const isAlone = partsOf(field).length === 1;
  const name = [field.label, ...(isMany ? [String(index + 1)] : []), ...(isAlone ? [] : [part.label])].join(' ');
  const described = [
    ...(part.hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  return (
    <div className={`part ${part.input}`}>
      <label htmlFor={id} className={isAlone ? 'visually-hidden' : 'soft'}>
        {isAlone ? name : part.label}
      </label>
      <PartInput
        {...{ field, part, text, onText }}
        attributes={{
          id,
          'aria-label': name,
          'aria-describedby': described.join(' ') || undefined,
          'aria-invalid': error !== undefined || isInvalid || undefined,
          'aria-required': isRequired || undefined,
        }}
      />
      {part.hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {part.hint}
        </span>
      )}
      {error !== undefined && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
};
