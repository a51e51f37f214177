/** The start options that say which database the repository is in. */
import { choice, path, seconds, text, wholeNumber } from '../../basics/options/option-kinds.ts';
import { option } from '../../basics/options/option-rows.ts';

const serve = ['serve'] as const;
const withStore = { option: 'store' } as const;

/** In the order of the help. */
export const storeOptions = {
  store: option(text('<url>', { isSecret: true }), {
    holds: serve,
    sentence:
      'keeps all worlds in [a database](team-server.md), `postgres://user@host/database`, behind any number of processes',
    variable: 'ATOLL_STORE',
  }),
  storePasswordFile: option(path('<file>'), {
    holds: serve,
    sentence: 'a file that holds the password of the database, which then does not appear in lists of processes',
    otherwise: '`PGPASSWORD`',
    needs: withStore,
  }),
  consistency: option(choice('<level>', ['strict', 'local']), {
    holds: serve,
    default: 'strict',
    sentence:
      'with `--store`: `strict` asks the database before each request, so every read sees every acknowledged write; `local` asks once a second, and a read may miss what another process wrote in the last second',
    needs: withStore,
  }),
  poolSize: option(wholeNumber('A number of connections to the database', { least: 1, most: 999 }), {
    holds: serve,
    default: 10,
    sentence: 'with `--store`: connections to the database, and one more to listen',
    needs: withStore,
  }),
  statementTimeout: option(seconds(), {
    holds: serve,
    default: 10,
    sentence: 'with `--store`: the database ends a statement that takes longer',
    needs: withStore,
  }),
  storeWait: option(seconds(), {
    holds: serve,
    default: 30,
    sentence: 'with `--store`: how long a start waits for the database',
    needs: withStore,
  }),
};
