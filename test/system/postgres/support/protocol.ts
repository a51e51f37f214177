/** Reads the protocol between a client and PostgreSQL, as far as it says when records are committed. */

/** Splits a stream of bytes into messages: a letter, a length of four bytes, and the rest. */
const createSplitter = (hasStartup: boolean) => {
  let left: Buffer = Buffer.alloc(0);
  let isStarting = hasStartup;
  return (piece: Buffer): readonly { readonly type: string; readonly body: Buffer }[] => {
    left = Buffer.concat([left, piece]);
    const found: { type: string; body: Buffer }[] = [];
    for (;;) {
      // The first message of a client has no letter.
      const head = isStarting ? 0 : 1;
      if (left.length < head + 4) return found;
      const end = head + left.readUInt32BE(head);
      if (left.length < end) return found;
      if (!isStarting) found.push({ type: String.fromCharCode(left[0] ?? 0), body: left.subarray(5, end) });
      isStarting = false;
      left = left.subarray(end);
    }
  };
};

/** The text up to the next zero, and where it ends. */
const textAt = (body: Buffer, from: number): readonly [string, number] => {
  const end = body.indexOf(0, from);
  return [body.toString('utf8', from, end), end + 1];
};

export type Conversation = {
  /**
   * Reads what the client sends. Answers the number of the request that commits changes of records, where the piece ends one:
   * `commit` after such a change, or such a change outside a transaction.
   */
  fromClient(piece: Buffer): number | undefined;
  /** Reads what the server sends. Answers how many requests it has answered by now. */
  fromServer(piece: Buffer): number;
};

const changesRecords = (text: string): boolean =>
  /atoll_records/.test(text) && /\b(insert|update|delete)\b/i.test(text);

export const createConversation = (): Conversation => {
  const splitClient = createSplitter(true);
  const splitServer = createSplitter(false);
  const statements = new Map<string, string>();
  /** What the request that is being sent runs. */
  let running: string[] = [];
  let bound = '';
  let isInTransaction = false;
  let hasChanged = false;
  let sent = 0;
  // The first answer ends the login.
  let answered = -1;

  /** Answers whether the texts of a request commit changes of records. */
  const isCommit = (texts: readonly string[]): boolean => {
    let commits = false;
    for (const text of texts) {
      if (/^\s*begin\b/i.test(text)) [isInTransaction, hasChanged] = [true, false];
      else if (/^\s*(commit|rollback)\b/i.test(text)) {
        commits ||= isInTransaction && hasChanged && /^\s*commit\b/i.test(text);
        isInTransaction = false;
      } else if (changesRecords(text)) {
        hasChanged = true;
        commits ||= !isInTransaction;
      }
    }
    return commits;
  };

  return {
    fromClient: (piece) => {
      let committing: number | undefined;
      for (const { type, body } of splitClient(piece)) {
        if (type === 'P') {
          const [name, next] = textAt(body, 0);
          statements.set(name, textAt(body, next)[0]);
        } else if (type === 'B') {
          const [, next] = textAt(body, 0);
          bound = statements.get(textAt(body, next)[0]) ?? '';
        } else if (type === 'E') running.push(bound);
        else if (type === 'Q') running.push(textAt(body, 0)[0]);
        if (type !== 'Q' && type !== 'S') continue;
        sent += 1;
        if (isCommit(running)) committing = sent;
        running = [];
      }
      return committing;
    },
    fromServer: (piece) => {
      answered += splitServer(piece).filter(({ type }) => type === 'Z').length;
      return answered;
    },
  };
};
