/** Pieces of text: headings of pages, code, badges, times, labelled inputs. */
import { useEffect, useId, useRef, type ReactElement, type ReactNode } from 'react';
import { useArrival } from './arrival.ts';
import { CopyButton } from './button.tsx';

type PageHeadProps = { readonly title: string; readonly children?: ReactNode; readonly actions?: ReactNode };

/** The heading of a page. Sets the title of the window. `children` say in a sentence what the page is for. */
export const PageHead = ({ title, children, actions }: PageHeadProps): ReactElement => {
  useEffect(() => {
    document.title = `${title} · Atoll`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  return (
    <header className="page-head">
      <h1 tabIndex={-1} ref={heading} dir="auto">
        {title}
      </h1>
      {actions !== undefined && <div className="row">{actions}</div>}
      {children !== undefined && <p>{children}</p>}
    </header>
  );
};

type CodeProps = { readonly text: string; readonly label: string; readonly copyLabel?: string };

/** A block of code that can be copied. `label` names it for screen readers. */
export const Code = ({ text, label, copyLabel }: CodeProps): ReactElement => (
  <div className="code has-copy">
    <pre tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
    <CopyButton text={text} {...(copyLabel === undefined ? {} : { label: copyLabel })} />
  </div>
);

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export const Badge = ({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactElement => <span className={`badge ${tone}`}>{children}</span>;

/** How a status looks: successes are good, refusals of the client are a warning, failures of the server are bad. */
export const toneOfStatus = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');

/** A time in the user's words; `iso` is an ISO 8601 text. */
export const Time = ({ iso }: { readonly iso: string }): ReactElement => (
  <time dateTime={iso} title={iso}>
    {new Date(iso).toLocaleString()}
  </time>
);

type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The refusal of this field, in the server's words. */
  readonly error?: string | undefined;
  /** Renders the input with this id and these attributes. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
    readonly 'aria-invalid'?: true;
  }) => ReactNode;
};

/** An input with its label, hint and error. */
export const Field = ({ label, hint, error, children }: FieldProps): ReactElement => {
  const id = useId();
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error === undefined ? [] : [`${id}-error`])];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
        ...(error === undefined ? {} : { 'aria-invalid': true }),
      })}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className="error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
    </div>
  );
};
