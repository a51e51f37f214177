/** Knows whether this process may get requests: it has started, does not end, and reaches what its answers depend on. */
import { inTime } from '../../basics/in-time.ts';
import type { CheckReadiness, ReadinessCheck } from '../../openapi/openapi-host.ts';

export type ReadinessReport = {
  readonly status: 'ready' | 'starting' | 'draining' | 'unreachable';
  readonly checks: readonly ReadinessCheck[];
};

export type Readiness = {
  read(): Promise<ReadinessReport>;
  /** The start is over. From now on `checks` decide. */
  serve(checks: readonly CheckReadiness[]): void;
  /** From now on the process is not ready: it ends soon. */
  drain(): void;
};

type Phase = 'starting' | 'serving' | 'draining';

/** Shorter than the time that an orchestrator usually waits for a probe. */
const defaultCheckMs = 2_000;

/** A check that takes longer than `checkMs` milliseconds has failed. Readers at the same time share one look. */
export const createReadiness = (checkMs = defaultCheckMs): Readiness => {
  let phase: Phase = 'starting';
  const isDraining = (): boolean => phase === 'draining';
  let checks: readonly CheckReadiness[] = [];
  let looking: Promise<readonly ReadinessCheck[]> | undefined;
  const look = (): Promise<readonly ReadinessCheck[]> =>
    (looking ??= Promise.all(checks.map((each) => lookAt(each, checkMs))).finally(() => {
      looking = undefined;
    }));
  return {
    read: async () => {
      if (phase !== 'serving') return { status: phase, checks: [] };
      const found = await look();
      // The end may have begun meanwhile.
      if (isDraining()) return { status: 'draining', checks: [] };
      return { status: found.every(({ isReady }) => isReady) ? 'ready' : 'unreachable', checks: found };
    },
    serve: (wanted) => {
      checks = wanted;
      if (phase === 'starting') phase = 'serving';
    },
    drain: () => {
      phase = 'draining';
    },
  };
};

const lookAt = async ({ name, check }: CheckReadiness, ms: number): Promise<ReadinessCheck> => {
  const failed = (message: string): ReadinessCheck => ({ name, isReady: false, message });
  try {
    return await inTime(check(), ms, () => failed('No answer came in time.'));
  } catch {
    // What went wrong may name a host or an account, and everybody may read this.
    return failed('It cannot be reached.');
  }
};
