/** Defines the package's public interface: a server in your own process, and the worlds of a server that runs elsewhere. */
import { exportedConfiguration } from '../options/exported-configuration.ts';
import { rim } from '../rim.ts';
import { type Atoll, type AtollOptions, startInProcess } from './in-process-atoll.ts';

export type { AnyHandler, AnyInput, AnyReply } from '../../repository/repository-engine.ts';
export type { AnyRequest, ProposedHandler } from '../../repository/repository-engine.ts';
export type { HandlerHeader, HandlerReply, HandlerRequest, SentFile } from '../../openapi/openapi.ts';
export type { Collection, CollectionNamed, CollectionWriter } from '../../openapi/openapi.ts';
export type { DocumentHandler, HandlerWorld } from '../../server/server.ts';
export type * from '../../exchange/exchange-worlds.ts';
export type { DemoAccount } from '../../exchange/exchange.ts';
export { connectAtoll, type Atoll, type AtollOptions } from './in-process-atoll.ts';

/** Starts a server. Rejects when a port is in use, a site is invalid or a store is damaged. The message says what to change. */
export const startAtoll = async (options: AtollOptions = {}): Promise<Atoll> => {
  const { drupalConfig } = options;
  return startInProcess({ ...options, drupalConfig: drupalConfig && exportedConfiguration(drupalConfig, rim) }, rim);
};
