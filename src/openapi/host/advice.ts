/** Defines advice: what the author of a client learns about a request that was accepted but not stored as it was sent. */
import { pointerTo } from '../../basics/json-pointer.ts';
import type { FieldName } from '../ports/entity.ts';
import type { Json } from '../../basics/json.ts';

/**
 * One part of a request that the real site drops, changes or overwrites in silence, or bytes that it stores in silence although they
 * cannot be what the client means. Only traffic and coverage show it by default.
 */
export type Advice = {
  /**
   * A JSON pointer to the part that was sent, as violations name it: `/requestBody/title/0/value`, `/header/content-location`,
   * `/path/media_type`. Below `/stored` it names a field of the record that was overwritten although the request did not send it.
   */
  readonly pointer: string;
  /** Undefined when nothing was sent there. */
  readonly sent?: Json | undefined;
  /** What an overwritten field held before, where the request did not send it. */
  readonly before?: Json | undefined;
  /** What the record shows there now. Undefined when nothing of it was stored. */
  readonly stored?: Json | undefined;
  /** One sentence: why. The same for all advices of a kind, because coverage counts the kinds. */
  readonly reason: string;
};

/** Tells an advice. Undefined where nobody listens, so that nothing is computed: `advise?.({ … })`. */
export type Advise = ((advice: Advice) => void) | undefined;

/** The pointer to a part of the JSON body (RFC 6901). */
export const inBody = (...steps: readonly (string | number)[]): string => pointer('requestBody', steps);

/** The pointer to a header of the request. */
export const inHeader = (name: string): string => pointer('header', [name.toLowerCase()]);

/** The pointer to a parameter in the path of the request. */
export const inPath = (parameter: string): string => pointer('path', [parameter]);

/** The pointer to a field that the request did not send. */
export const inRecord = (field: FieldName): string => pointer('stored', [field]);

const pointer = (part: string, steps: readonly (string | number)[]): string => pointerTo([part, ...steps]);
