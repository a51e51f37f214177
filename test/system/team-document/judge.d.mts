export type TeamRequest = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** Names of headers in lower case. */
export type TeamAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
};

export type Judged = { readonly name: string; readonly status: number; readonly wrong: readonly string[] };

/** The file of the document. */
export const documentFile: string;

export const requests: readonly TeamRequest[];

/** Every request, with what is wrong about its answer: nothing when it is right. */
export const judgeAll: (ask: (request: TeamRequest) => Promise<TeamAnswer>) => Promise<Judged[]>;
