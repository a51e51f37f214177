/** Starts a proxy in the process of a test. */
import { startProxy, type Proxy, type ProxyOptions } from '../../src/checks/proxy/proxy.ts';
import { preparedFile, root } from '../support/atoll.ts';

export type TestProxy = Proxy & { readonly port: number; readonly failures: string[]; readonly warnings: string[] };

export const startTestProxy = async (
  target: string,
  options: Partial<Omit<ProxyOptions, 'root' | 'target'>> = {},
): Promise<TestProxy> => {
  const failures: string[] = [];
  const warnings: string[] = [];
  const proxy = await startProxy({
    ...{ root, prepared: await preparedFile(), target },
    onFailure: (message) => failures.push(message),
    warn: (message) => warnings.push(message),
    ...options,
  });
  return { ...proxy, port: Number(new URL(proxy.url).port), failures, warnings };
};
