/** The operations of the document with their statuses, met and unmet. */
import { memo, type MouseEvent, type ReactElement } from 'react';
import type { OperationCoverage } from './coverage-rows.ts';

type TableProps = {
  readonly rows: readonly OperationCoverage[];
  readonly selected: string | undefined;
  readonly onSelect: (operation: string) => void;
};

export const CoverageTable = ({ rows, selected, onSelect }: TableProps): ReactElement => {
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const operation = link?.dataset['operation'];
    if (operation === undefined || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onSelect(operation);
  };
  return (
    <div className="list coverage-list">
      <table role="table" aria-label="Operations and their statuses" onClick={follow}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              Operation
            </th>
            <th role="columnheader" scope="col">
              Statuses
            </th>
            <th role="columnheader" scope="col" className="in-met">
              Met
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <Row key={row.operation} row={row} isSelected={row.operation === selected} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Row = memo(
  ({ row, isSelected }: { readonly row: OperationCoverage; readonly isSelected: boolean }): ReactElement => {
    const { operation, method, path, statuses, met } = row;
    return (
      <tr role="row" className={isSelected ? 'selected' : ''}>
        <th role="rowheader" scope="row">
          <a href={addressOf(operation)} data-operation={operation} aria-current={isSelected ? 'true' : undefined}>
            {operation}
          </a>
          <span className="soft mono">
            {method} {path}
          </span>
        </th>
        <td role="cell">
          <ul className="statuses">
            {statuses.map(({ status, count }) => (
              <li key={status} className={count > 0 ? 'met' : 'unmet'}>
                {status}
                <span className="visually-hidden">{count > 0 ? ' met' : ' not met'}</span>
              </li>
            ))}
          </ul>
        </td>
        <td role="cell" className="in-met">
          {met} of {statuses.length}
        </td>
      </tr>
    );
  },
  (before, after) => before.isSelected === after.isSelected && JSON.stringify(before.row) === JSON.stringify(after.row),
);
Row.displayName = 'Row';

/** The address of the page with another operation. It is only read when a link is opened in another tab. */
const addressOf = (operation: string): string => {
  const [path = '', query = ''] = location.hash.split('?');
  const search = new URLSearchParams(query);
  search.set('operation', operation);
  return `${path}?${search.toString()}`;
};
