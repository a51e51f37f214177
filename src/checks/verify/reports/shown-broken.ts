/** Removes secrets from what an answer has that the document does not allow. */
import type { Redaction } from '../../../exchange/redaction.ts';
import type { BrokenDocument } from '../check-result.ts';

export const showBroken = (broken: BrokenDocument, redaction: Redaction): BrokenDocument => ({
  ...broken,
  request: redaction.path(broken.request),
  message: redaction.text(broken.message),
  ...(broken.arrived === undefined ? {} : { arrived: redaction.text(broken.arrived) }),
});
