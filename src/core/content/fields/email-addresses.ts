/** Judges addresses of e-mail as the real site does: by the rules of RFC 5322, without what is only tolerated there. */

/** The longest address of a field. */
export const longestAddress = 254;

/** Letters of all languages are allowed on both sides. Quoted names, comments and bare addresses of machines are not. */
const localPart = /^[^\s"(),:;<>@[\\\].\p{Cc}]+(\.[^\s"(),:;<>@[\\\].\p{Cc}]+)*$/u;
const domainLabel = /^(?!-)[\p{L}\p{M}\p{N}_-]{1,63}(?<!-)$/u;

export const isEmailAddress = (address: string): boolean => {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const labels = address.slice(at + 1).split('.');
  return (
    local.length <= 64 && localPart.test(local) && labels.length > 1 && labels.every((label) => domainLabel.test(label))
  );
};
