/** Defines the type of the control interface's handlers. */
import type { HandlerFor } from '../../core/engine/handler.ts';
import type { operations } from '../../client/generated/control.ts';

/** One handler for each operation of `src/server/control/openapi.yaml`. A new operation does not compile without its handler. */
export type ControlHandlers = { readonly [Id in keyof operations]: HandlerFor<operations[Id]> };

/** Those about content, which the application has. */
export type ContentHandlers = Pick<ControlHandlers, 'getRepository' | 'getModel' | 'listEntities'>;
