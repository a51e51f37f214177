/** Asks for parts of a file, as players do, and shows what the server answers. */
import { useState, type ReactElement } from 'react';
import { pathInWorld } from '../api/address.ts';
import { useActing, type Acting } from '../api/acting.ts';
import { exchange, type PlainAnswer } from '../api/exchange.ts';
import { wordsOf } from '../api/refusal.ts';
import { Button } from '../ui/button.tsx';
import { Badge } from '../ui/text.tsx';
import { headerOf } from './representation.ts';
import type { BytesOf } from './viewer.tsx';
import { Cell, Row, RowHead, Table } from '../ui/table.tsx';

type Tested = { readonly range: string; readonly wanted: number; readonly answer: PlainAnswer };
type Outcome = { readonly tests: readonly Tested[] } | { readonly error: string } | undefined;

export const RangeTest = ({ file }: { readonly file: BytesOf }): ReactElement => {
  const acting = useActing();
  const [outcome, setOutcome] = useState<Outcome>(undefined);
  const test = (): void => {
    testRanges(file, acting).then(
      (tests) => setOutcome({ tests }),
      (error: unknown) => setOutcome({ error: wordsOf(error) }),
    );
  };
  return (
    <section className="stack">
      <h2>Ranges</h2>
      <div className="row">
        <Button onClick={test}>Test ranges</Button>
        <span className="soft">Asks for the first 100 bytes, the last ones, and some behind the end.</span>
      </div>
      <div role="status">
        {outcome !== undefined && ('error' in outcome ? outcome.error : <Results tests={outcome.tests} />)}
      </div>
    </section>
  );
};

/** RFC 9110 §14: 206 for a range that exists, 416 for one behind the end. */
const testRanges = async ({ address, size = 0 }: BytesOf, acting: Acting): Promise<readonly Tested[]> => {
  const path = pathInWorld(address) ?? address;
  const ranges = [
    { range: 'bytes=0-99', wanted: size > 0 ? 206 : 416 },
    { range: 'bytes=-10', wanted: size > 0 ? 206 : 416 },
    { range: `bytes=${size}-`, wanted: 416 },
  ];
  return Promise.all(
    ranges.map(async ({ range, wanted }) => ({
      ...{ range, wanted },
      answer: await exchange(acting, { method: 'GET', path, headers: { Range: range } }),
    })),
  );
};

const Results = ({ tests }: { readonly tests: readonly Tested[] }): ReactElement => (
  <Table label="The responses to the ranges" heads={['Range', 'Status', 'Content-Range', 'Bytes']}>
    {tests.map(({ range, wanted, answer }) => (
      <Row key={range}>
        <RowHead>
          <code>{range}</code>
        </RowHead>
        <Cell of="Status">
          <Badge tone={answer.status === wanted ? 'good' : 'bad'}>{answer.status}</Badge>{' '}
          {answer.status === wanted ? 'as expected' : `expected ${wanted}`}
        </Cell>
        <Cell of="Content-Range">
          <code>{headerOf(answer, 'content-range') ?? 'none'}</code>
        </Cell>
        <Cell of="Bytes">{answer.bytes.toLocaleString('en')}</Cell>
      </Row>
    ))}
  </Table>
);
