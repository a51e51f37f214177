/** The handlers that read, create, update and delete nodes. */
import type { Handler, Reader } from '../src/core/engine/handler.ts';
import { entityHandlers } from './entity-handlers.ts';

const nodes = entityHandlers('node', 'node_id');

export const getNode: Reader<'getNode'> = nodes.read;
export const createNode: Handler<'createNode'> = nodes.create;
export const updateNode: Handler<'updateNode'> = nodes.update;
export const deleteNode: Handler<'deleteNode'> = nodes.remove;
