export declare const turnOfCommit: (hash: string, count: number) => number;
export declare const turnOf: (count: number) => number;
export declare const rowsOfTurn: <Row>(rows: readonly Row[], turn: number, count: number) => readonly Row[];
