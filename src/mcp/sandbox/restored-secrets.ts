/** Puts the agent's own secrets back into a corrected body, from which traffic has taken them. */
import { redacted } from '../../exchange/redaction/secrets.ts';

/** `corrected` with the values of `sent` where it has the mark of a secret. */
export const restored = (corrected: unknown, sent: unknown): unknown => {
  if (corrected === redacted) return sent ?? corrected;
  if (Array.isArray(corrected))
    return corrected.map((item, index) => restored(item, Array.isArray(sent) ? (sent as unknown[])[index] : undefined));
  if (typeof corrected !== 'object' || corrected === null) return corrected;
  const source: Readonly<Record<string, unknown>> = typeof sent === 'object' && sent !== null ? { ...sent } : {};
  return Object.fromEntries(Object.entries(corrected).map(([name, value]) => [name, restored(value, source[name])]));
};
