/** Shows advice in traffic, without secrets. */
import type { components } from '../../core/generated/control.ts';
import type { Advice } from '../../core/model/advice.ts';
import type { Json } from '../../core/model/entity.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { isSecretMember, redacted, shownAddress, shownJson, shownText } from '../../exchange/redaction/secrets.ts';

export const shownAdvice = ({ pointer, sent, before, stored, reason }: Advice): components['schemas']['Advice'] => {
  const isSecret = readPointer(pointer).some(isSecretMember);
  const shown = (value: Json): Json => (isSecret ? redacted : withoutSecrets(value));
  return {
    pointer,
    ...(sent === undefined ? {} : { sent: shown(sent) }),
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(stored === undefined ? {} : { stored: shown(stored) }),
    reason,
  };
};

const withoutSecrets = (value: Json): Json => {
  if (typeof value !== 'string') return JSON.parse(shownAddress(JSON.stringify(shownJson(value)))) as Json; // it was JSON
  // A long value was cut to the beginning of its JSON, whose members can no longer be told apart.
  return /^[[{].*\u2026$/s.test(value) ? shownText(value, undefined) : shownAddress(value);
};
