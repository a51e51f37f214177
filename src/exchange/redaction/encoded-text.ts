/** Looks into the encoded parts of a text: percent-encoded ones, base64, hexadecimal, entities of HTML and escapes of JSON. */

/** Returns the decoded text without its secrets, and the same text when it has none. */
type Redact = (decoded: string) => string;

/** What takes the place of a part that cannot be written again without its secrets. */
type Replace = (part: string, kind: string) => string;

/** How often a text within a text within a text is decoded. */
export const mostDecodings = 4;

/** Longer runs are the bytes of a file. */
const longestRun = 256 * 1024;

/** Replaces the parts of a text in which `redact` finds a secret once they are decoded. Parts without a secret keep their spelling. */
export const replaceEncoded = (text: string, redact: Redact, replace: Replace): string => {
  const unescaped = withoutEscapes(text, redact);
  return replaceBase64(replacePercent(replaceEntities(unescaped, redact), redact), redact, replace);
};

/** A placeholder stays readable wherever it is. */
const encodedPlaceholder = /%5B(redacted)(?:%3A([a-z0-9_-]+)%3A(\d+))?%5D/g;
const withPlaceholders = (encoded: string): string =>
  encoded.replace(encodedPlaceholder, (_all, word: string, kind?: string, number?: string) =>
    kind === undefined ? `[${word}]` : `[${word}:${kind}:${number}]`,
  );

const percentRun = /[^\s"'<>&=;?#\\]+/g;
const octets = /(?:%[0-9a-f]{2})+/gi;

const replacePercent = (text: string, redact: Redact): string =>
  text.includes('%')
    ? text.replace(percentRun, (run) => {
        if (!run.includes('%') || run.length > longestRun) return run;
        const decoded = decodePercent(run);
        if (decoded === run) return run;
        for (const read of run.includes('+') ? [decoded, decodePercent(run.replaceAll('+', ' '))] : [decoded]) {
          const left = redact(read);
          if (left !== read) return encodeAs(run, left);
        }
        return run;
      })
    : text;

/** Bytes that are not UTF-8 stay encoded, but for those of ASCII. */
const decodePercent = (text: string): string =>
  text.replace(octets, (group) => {
    try {
      return decodeURIComponent(group);
    } catch {
      return group.replace(/%[0-7][0-9a-f]/gi, (octet) => String.fromCharCode(Number.parseInt(octet.slice(1), 16)));
    }
  });

/** Signs that the run has as they are stay so. */
const encodeAs = (run: string, decoded: string): string =>
  ['/', ':', '@', ',', '+', '$'].reduce(
    (encoded, sign) => (run.includes(sign) ? encoded.replaceAll(encodeURIComponent(sign), sign) : encoded),
    withPlaceholders(encodeURIComponent(decoded.toWellFormed())),
  );

const entity = /&(?:(quot|amp|apos|lt|gt)|#(\d{1,4})|#x([0-9a-f]{1,4}));/gi;
const named: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' };
const entityNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(named).map(([name, sign]) => [sign, `&${name};`]),
);

/** The texts between the marks of HTML and XML, and the values of their attributes. */
const replaceEntities = (text: string, redact: Redact): string =>
  /&(?:[a-z]{2,4}|#\w{1,5});/i.test(text)
    ? text.replace(/[^<>"']+/g, (run) => {
        const decoded = run.replace(entity, (_all, name?: string, decimal?: string, hexadecimal?: string) =>
          name === undefined
            ? String.fromCharCode(decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal))
            : (named[name.toLowerCase()] ?? ''),
        );
        if (decoded === run) return run;
        const left = redact(decoded);
        return left === decoded ? run : left.replace(/["'&<>\p{Cc}]/gu, entityOf);
      })
    : text;

const entityOf = (sign: string): string => entityNames[sign] ?? `&#${sign.codePointAt(0)};`;

/** Signs of ASCII but the quotation mark and the backslash, which have a meaning of their own in JSON. */
const escape = /\\{1,4}u00(2[013-9a-f]|[346][0-9a-f]|5[0-9abd-f]|7[0-9a-e])/gi;

const withoutEscapes = (text: string, redact: Redact): string => {
  if (!text.includes('\\u00')) return text;
  const decoded = text.replace(escape, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const left = decoded === text ? text : redact(decoded);
  return left === decoded ? text : left;
};

/** Mail and certificates break their lines. */
const base64Run = /(?:[A-Za-z0-9+/]{60,76}\r?\n)*[A-Za-z0-9+/_-]{11,}={0,2}/g;

const replaceBase64 = (text: string, redact: Redact, replace: Replace): string => {
  const judged = (run: string): string | undefined => {
    const decoded = readableIn(run);
    if (decoded === undefined) return undefined;
    if (isAccount(decoded)) return replace(run, 'authorization');
    return redact(decoded) === decoded ? undefined : replace(run, 'encoded');
  };
  return text.replace(base64Run, (run) => {
    if (run.length > longestRun) return run;
    const whole = judged(run);
    if (whole !== undefined || !run.includes('/')) return whole ?? run;
    // A part of a path.
    return run.replace(/[^/]{12,}/g, (part) => judged(part) ?? part);
  });
};

/** The readable text that a run is the base64, or the hexadecimal form, of. */
export const readableIn = (run: string): string | undefined => {
  const isHexadecimal = run.length % 2 === 0 && /^[0-9a-f]+$/i.test(run);
  return readable(Buffer.from(run, isHexadecimal ? 'hex' : 'base64'));
};

const readable = (bytes: Uint8Array): string | undefined => {
  if (bytes.length < 8 || bytes.subarray(0, 48).some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13))
    return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // A few random bytes can be UTF-8, too.
    return /^[\t\n\r -~]{8}/.test(text) || /^[\p{L}\p{N}\p{P}\p{Z}\s]*$/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
};

/** The name and the password of an account, as Basic has them. */
const isAccount = (text: string): boolean =>
  /^[A-Za-z][\w.@+-]{0,63}:(?!\d{1,9}$)[!-~]{4,128}$/.test(text) && !/^\w+:\//.test(text);
