/** The shape of what answers the control interface. */
import type { HandlerFor } from '../engine/handler.ts';
import type { operations } from '../generated/control.ts';

/** Every operation of `src/control/openapi.yaml`. A new one does not compile until a file of this room answers it. */
export type ControlHandlers = { readonly [Id in keyof operations]: HandlerFor<operations[Id]> };
