/** A result that is there at once in memory, and that a database has to be asked for. */
export type Awaitable<T> = T | Promise<T>;
