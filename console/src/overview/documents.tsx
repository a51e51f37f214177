/** The documents of the user that the server answers for. */
import type { ReactElement } from 'react';
import type { ControlSchemas } from '../api/control.ts';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';

type DocumentsProps = { readonly documents: ControlSchemas['Repository']['documents'] };

export const Documents = ({ documents }: DocumentsProps): ReactElement | null =>
  documents.length === 0 ? null : (
    <section className="panel stack" aria-labelledby="documents">
      <h2 id="documents">Your documents</h2>
      <Table label="Documents" heads={['Title', 'Version', 'Operations', 'Served at']}>
        {documents.map(({ title, version, operations, url }) => (
          <Row key={`${url} ${title}`}>
            <RowHead>{title}</RowHead>
            <Cell of="Version">{version}</Cell>
            <Cell of="Operations">{operations}</Cell>
            <Cell of="Served at">
              <code>{url}</code>
            </Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
