/** Defines what must hold before a process may get requests: that it reaches what its answers depend on. */

/** `name` is one word for programs, `message` a sentence for people. Neither names a host, an account or a path. */
export type ReadinessCheck = { readonly name: string; readonly isReady: boolean; readonly message: string };

/** Looks at the present state. What it rejects with counts as not ready. */
export type CheckReadiness = { readonly name: string; readonly check: () => Promise<ReadinessCheck> };
