/** Starts proxies and their targets in the process of a test. */
import { startProxy, type Proxy } from '../../src/checks/checks-proxy.ts';
import type { ProxyOptions } from '../../src/checks/proxy/proxy.ts';
import { preparedFile, root } from '../support/atoll.ts';
import { startRawTarget, type OnBytes, type RawTarget } from './raw-target.ts';

export type TestProxy = Proxy & { readonly port: number; readonly failures: string[]; readonly warnings: string[] };

export type TestProxyOptions = Partial<Omit<ProxyOptions, 'root' | 'target'>>;

export const startTestProxy = async (target: string, options: TestProxyOptions = {}): Promise<TestProxy> => {
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

/** Ends what a test has started. */
export const stops: (() => Promise<unknown>)[] = [];

export const stopAll = async (): Promise<void> => {
  for (const stop of stops.splice(0).reverse()) await stop();
};

/** `stopAll` stops it. */
export const proxyTo = async (url: string, options: TestProxyOptions = {}): Promise<TestProxy> => {
  const proxy = await startTestProxy(url, options);
  stops.push(() => proxy.stop());
  return proxy;
};

export const proxyToRaw = async (
  onBytes: OnBytes,
  options: TestProxyOptions = {},
): Promise<{ readonly target: RawTarget; readonly proxy: TestProxy }> => {
  const target = await startRawTarget(onBytes);
  stops.push(() => target.stop());
  return { target, proxy: await proxyTo(target.url, options) };
};
