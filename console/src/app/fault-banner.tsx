/** Says on every page which faults are active, because they explain answers that look wrong. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { faultsQuery } from '../api/queries.ts';

export const FaultBanner = (): ReactElement | undefined => {
  const { data } = useQuery(faultsQuery);
  const faults = data?.faults ?? [];
  if (faults.length === 0) return undefined;
  const names = [...new Set(faults.map(({ fault }) => fault))].join(', ');
  return (
    <div className="note warn fault-banner" role="status">
      <strong>{faults.length === 1 ? '1 fault is active' : `${faults.length} faults are active`}</strong> in this world:{' '}
      {names}. <Link to="/faults">See and remove</Link>
    </div>
  );
};
