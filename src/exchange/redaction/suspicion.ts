/** Suspects secrets: by the words of a name, by a value that looks random, and by shapes that only secrets have. */

/** The words of `edit[newPass2]`: edit, new, pass. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** A name with one of these words holds a secret, whatever the value. */
const secretWords =
  /^(?:pass|passwd|passcode|pwd|pw|jwt|creds?|credentials?|authorization|authentication|assertion|otp|totp|pin|csrf|xsrf|token|sid|sessid|phpsessid|jsessionid|sig|signature)$/;

/** Stems that are secret within a word, and two words that are secret together. */
const secretParts =
  /passw|passphrase|secret|token$|(?:api|access|private|account|auth|encryption|session|shared|security)key|codeverifier|(?:auth|authorization)code|sess(?:ion)?id|^s?sess[0-9a-f]{32}$/;

/** Names with such words that hold no secret. */
const harmless =
  /^(?:token_type|access_control_.*|(?:token|authorization)_(?:endpoint|url|uri).*|password_(?:policy|policies|expired|expiration|reset|strength|required|label|hint_label)|pass_(?:rate|count|through)|signature_format|authentication_(?:methods?|provider|type)|authorization_(?:scheme|type)|public_key)$/;

/** A part of a URL or a form with one of these names alone holds a secret; in JSON it does when the value looks random. */
const doubtful =
  /^(?:key|code|hash|auth|session|sess|ticket|nonce|cnonce|opaque|verifier|challenge|state|credential|salt|cert|license)$/;

const plain = (name: string): string => wordsOf(name).join('_');

/** Whether a name says that its value is secret: of a member of JSON, a parameter, a field of a form, an element of XML. */
export const isSecretName = (name: string): boolean => {
  const words = wordsOf(name);
  if (harmless.test(words.join('_'))) return false;
  return (
    words.some((word) => secretWords.test(word)) ||
    secretParts.test(words.join('')) ||
    secretParts.test(name.toLowerCase())
  );
};

/** The same for a part of a URL or a form, where `code` and `key` are credentials. */
export const isSecretParameterName = (name: string): boolean => isSecretName(name) || doubtful.test(plain(name));

/** Whether the value of a name that says nothing, or little, is probably secret. */
export const isSuspectValue = (name: string, value: unknown): boolean => {
  if (typeof value !== 'string' || value.length < 16 || value.length > 4096 || isKnownForm(value)) return false;
  const isDoubtful = wordsOf(name).some((word) => doubtful.test(word));
  return (isDoubtful && looksCoded(value)) || (!isPlainName(name) && looksRandom(value));
};

/** Uuids, dates, addresses and names of files. */
const isKnownForm = (value: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
  /^\d{4}-\d\d/.test(value) ||
  /[^A-Za-z0-9+/_=~-]/.test(value) ||
  /\/.*\//.test(value);

const looksCoded = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

/** Random letters and digits change their kind at most signs, and have digits in several places; names do not. Checksums have no capitals. */
const looksRandom = (value: string): boolean => {
  if (value.length < 24 || !/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return false;
  const changes = value.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes > value.length / 3 && (value.match(/\d+/g)?.length ?? 0) > 1;
};

/** What is random and public: checksums, versions of an answer, numbers of a request, the seam of a form. */
const isPlainName = (name: string): boolean =>
  /etag|digest|md5|sha\d|checksum|boundary|uuid|request[_-]?id|trace|^if-|^sec-|accept|itok|cache/i.test(name);

/** What takes the place of a secret. `kind` says what it seems to be. */
type Replace = (secret: string, kind: string) => string;

// The first part of a token is a JSON object in base64url, so it begins with `{"` or `{` and a blank.
const jwt = /\be[wy][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*/g;
const bearer = /\b(Bearer\s{1,4})([A-Za-z0-9._~+/-]{16,}={0,2})/gi;
const basic = /\b(Basic\s{1,4})([A-Za-z0-9+/]{6,}={0,2})/gi;
const privateKey =
  /-----BEGIN[A-Z0-9 %+]{0,60}PRIVATE(?:[ +]|%20)KEY-----[\s\S]*?(?:-----END[A-Z0-9 %+]{0,60}PRIVATE(?:[ +]|%20)KEY-----|$)/g;
/** Keys of Amazon, Google, GitHub, GitLab, Slack, Stripe, npm and Atoll begin so. */
const known =
  /\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|[rs]k_(?:live|test)_[A-Za-z0-9]{10,}|npm_[A-Za-z0-9]{20,}|atoll_[\w-]{40,})/g;
/** Hashes of passwords: of Drupal, PHP, Argon2 and this program. */
const passwordHash = /(?<![\w$])(?:\$(?:S|P|H|2[abxy]|argon2(?:id|i|d))\$|scrypt\$)[\w./+=,$-]{20,}/g;

/** Replaces the secrets of a text that are known by their shape. */
export const replaceShapes = (text: string, replace: Replace): string =>
  text
    .replace(privateKey, (key) => replace(key, 'private-key'))
    .replace(jwt, (token) => replace(token, 'jwt'))
    .replace(known, (key) => replace(key, 'key'))
    .replace(passwordHash, (hash) => replace(hash, 'password-hash'))
    .replace(bearer, (all, scheme: string, token: string) =>
      /\d/.test(token) ? `${scheme}${replace(token, 'authorization')}` : all,
    )
    .replace(basic, (all, scheme: string, credentials: string) =>
      isBasic(credentials) ? `${scheme}${replace(credentials, 'authorization')}` : all,
    );

const isBasic = (credentials: string): boolean => /^[^:\s]+:./.test(Buffer.from(credentials, 'base64').toString());
