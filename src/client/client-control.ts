/** The door of the client of the control interface, `/_atoll`, which its document types. */

/** Makes the client for a world, or for the main world of a server, from its base URL. It runs in Node and in browsers. */
export { controlClient } from './control/control-client.ts';
/** What `controlClient` makes. Its functions reject with a `CommandRefusal` when the server refuses. */
export type { ControlClient } from './control/control-client.ts';
/** A command was refused, or answered otherwise than the document says. It has the status and the server's words. */
export { CommandRefusal } from './control/control-client.ts';
/** The header with a control token. Empty without a token. */
export { controlHeader } from './control/control-client.ts';

/** The id of an operation of the control interface. */
export type { OperationId } from './control/control-types.ts';
/** The schemas of the control interface. */
export type { ControlSchemas } from './control/control-types.ts';
/** What an operation takes: its path, query and body. */
export type { Input } from './control/control-types.ts';
/** The same as a parameter, which may be left out where an operation needs nothing. */
export type { InputParameter } from './control/control-types.ts';
/** The JSON that an operation answers with. Undefined where it has no body. */
export type { Answer } from './control/control-types.ts';
/** A type whose optional members may be undefined, too. */
export type { Loose } from './control/control-types.ts';

/** The functions of the library that follow from the document: those of every world, or of a server. */
export { libraryFunctionsOf } from './control/library-functions.ts';
/** How people and programs call an operation: its command, its tool, its inputs, and the shown part of its answer. */
export { surfaceOf } from './control/surface.ts';
/** One of these inputs: its place, its schema, and how a caller writes it. */
export type { SurfaceInput } from './control/surface.ts';
/** The input of an operation, from the values that a caller has. */
export { placedInput } from './control/surface.ts';
/** The shown part of an answer, or one of its values where it is a list. */
export type { ShownItem } from './control/surface.ts';
