/** The handlers that read taxonomy terms and, beyond the contract, create, update and delete them. */
import type { Handler, Reader } from '../src/core/engine/handler.ts';
import { entityHandlers } from './entity-handlers.ts';

const terms = entityHandlers('taxonomy_term', 'term_id');

export const getTerm: Reader<'getTerm'> = terms.read;
export const createTerm: Handler<'createTerm'> = terms.create;
export const updateTerm: Handler<'updateTerm'> = terms.update;
export const deleteTerm: Handler<'deleteTerm'> = terms.remove;
