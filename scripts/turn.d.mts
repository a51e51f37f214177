type Turn = number | 'all';
export declare const turnOfCommit: (hash: string, count: number) => number;
export declare const turnOf: (count: number, paths?: readonly string[]) => Turn;
export declare const rowsOfTurn: <Row>(rows: readonly Row[], turn: Turn, count: number) => readonly Row[];
