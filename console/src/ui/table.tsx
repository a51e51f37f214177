/** Tables. On a narrow screen each row is a card, in which each value has the head of its column before it. */
import type { ComponentProps, ReactElement, ReactNode } from 'react';

type TableProps = {
  /** What it is called for screen readers. */
  readonly label: string;
  /** The heads of the columns, or a `Head` for each. */
  readonly heads: readonly string[] | ReactElement;
  /** A `Row` for each row. */
  readonly children: ReactNode;
  readonly className?: string;
};

/** The roles stay when the rows become cards. */
export const Table = ({ label, heads, children, className = '' }: TableProps): ReactElement => (
  <div className="scroll" tabIndex={0} role="region" aria-label={label}>
    <table role="table" className={`cards ${className}`.trim()}>
      <thead role="rowgroup">
        <tr role="row">{'type' in heads ? heads : heads.map((head) => <Head key={head}>{head}</Head>)}</tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  </div>
);

export const Head = (props: ComponentProps<'th'>): ReactElement => <th role="columnheader" scope="col" {...props} />;

export const Row = ({ children }: { readonly children: ReactNode }): ReactElement => <tr role="row">{children}</tr>;

/** The value that names the row. */
export const RowHead = (props: ComponentProps<'th'>): ReactElement => <th role="rowheader" scope="row" {...props} />;

/** `of` is the head of its column. */
export const Cell = ({ of, ...rest }: ComponentProps<'td'> & { readonly of: string }): ReactElement => (
  <td role="cell" data-head={of} {...rest} />
);
