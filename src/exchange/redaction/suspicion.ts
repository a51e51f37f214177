/** Suspects secrets: by the words of a name, by a value that looks random, and by shapes that only secrets have. */

import { readableIn } from './encoded-text.ts';

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
  /^(?:pass|passwd|passwrd|passcode|pwd|pswd?|pw|mdp|senha|heslo|jwt|saml|bearer|creds?|credentials?|authorization|authentication|assertion|otp|totp|hotp|pin|puk|cvv|cvc|csrf|xsrf|token|token(?:id|key|value|string)|cookies?|sid|sessid|phpsessid|jsessionid|sig|signature|hmac)$/;

/** `userpass` and `mypass`, but not `compass`. */
const passWord = /^(?!(?:by|com|over|sur|tres|under|encom)pass$)[a-z]+pass$/;

/** Stems that are secret within a word, and two words that are secret together. */
const secretParts =
  /passw|passphrase|passkey|kennwort|motdepasse|parola|contrase|wachtwoord|secret|token$|(?:api|access|private|account|auth|encryption|session|shared|ssh|master|signing|client|consumer|subscription|storage|functions?|webhook|deploy|app|application|admin|write|unsubscribe|activation|registration|accesskey)key(?:id)?$|(?:api|access|private|account|auth|encryption|session|shared)key|(?:code|oauth)verifier|(?:auth|authorization|device|user|recovery|backup|security|verification|confirmation|access|activation|invitation|invite|login|sms|mfa|onetime)code$|(?:auth|authorization)code|sess(?:ion)?id|saml(?:response|request|art)|hashsalt|^pgt(?:id|iou)$|^s?sess[0-9a-f]{32}$/;

/** Names with such words that hold no secret. */
const harmless =
  /^(?:token_type|access_control_.*|(?:token|authorization)_(?:endpoint|url|uri).*|password_(?:policy|policies|expired|expiration|reset|strength|required|label|hint_label)|pass_(?:rate|count|through)|signature_format|authentication_(?:methods?|provider|type)|authorization_(?:scheme|type)|public_key|cookies?_(?:policy|consent|banner|lifetime|domain|path|name|accepted).*)$/;

/** A part of a URL or a form with one of these names alone holds a secret; in JSON it does when the value looks random. */
const doubtful =
  /^(?:key|code|hash|auth|session|sess|ticket|nonce|cnonce|opaque|verifier|challenge|state|credential|salt|cert|license|tokens)$/;

/** The doubtful names under which ordinary values are words. */
const sessionNames =
  /^(?:x_)?(?:auth|session|sess|ticket|invite|invitation|magic|activation|confirm|confirmation|verify|verification|reset|recovery|unsubscribe)(?:_(?:value|data|cookie|string))?$/;

const plain = (name: string): string => wordsOf(name).join('_');

/** Whether a name says that its value is secret: of a member of JSON, a parameter, a field of a form, an element of XML. */
export const isSecretName = (name: string): boolean => {
  const words = wordsOf(name);
  if (harmless.test(words.join('_'))) return false;
  return (
    words.some((word) => secretWords.test(word) || passWord.test(word)) ||
    secretParts.test(words.join('')) ||
    secretParts.test(name.toLowerCase())
  );
};

/** The same for a part of a URL or a form, where `code` and `key` are credentials. */
export const isSecretParameterName = (name: string): boolean =>
  isSecretName(name) || doubtful.test(plain(name)) || /(?:auth|(?:^|_)nonce)$/.test(plain(name));

/** Whether the value of a name that says nothing, or little, is probably secret. */
export const isSuspectValue = (name: string, value: unknown): boolean => {
  if (typeof value !== 'string' || value.length > mostRandom) return false;
  if (sessionNames.test(plain(name)) && value.length >= 6 && !isKnownForm(value) && looksCoded(value)) return true;
  if (value.length < 16) return false;
  const isDoubtful = wordsOf(name).some((word) => doubtful.test(word));
  return (
    (isDoubtful && !isPublicName(name) && !isKnownForm(value) && looksCoded(value)) ||
    (!isPublicName(name) && looksRandom(value) && readableIn(value) === undefined)
  );
};

/** Uuids, dates, addresses and names of files. */
const isKnownForm = (value: string): boolean =>
  isUuid(value) || /^\d{4}-\d\d/.test(value) || /[^A-Za-z0-9+/_=~-]/.test(value) || /\/.*\//.test(value);

const isUuid = (value: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

const looksCoded = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value);

const base64Signs = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Random letters and digits change their kind at most signs, and have digits in several places; names do not. Checksums have no capitals. */
const looksRandom = (value: string): boolean => {
  if (value.length < 20 || !base64Signs.test(value) || !/\d/.test(value) || !/[a-z]/.test(value)) return false;
  const digits = value.match(/\d+/g)?.length ?? 0;
  const isMixed = /[A-Z]/.test(value);
  if (!isMixed && (!/[g-z]/.test(value) || !/^[a-z0-9]+$/.test(value))) return false;
  const changes = value.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|\d(?=[A-Za-z])/g)?.length ?? 0;
  // Long paths and names have more signs in which a change could be.
  if (isMixed) return value.length >= 24 && digits > 1 && changes > value.length / (value.includes('/') ? 2.4 : 3);
  return digits > 3 && changes > value.length * 0.3;
};

/** What is random and public: checksums, versions of an answer, numbers of a request, the seam of a form. */
const publicNames =
  'etag|digest|md5|sha\\d|checksum|boundary|uuid|request[_-]?id|trace|^if-|^sec-|accept|itok|cache|integrity|config[_-]?hash';
const publicName = new RegExp(publicNames, 'i');
export const isPublicName = (name: string): boolean => publicName.test(name);

/** The text before a value that is random and public. */
const publicBefore = new RegExp(
  `(?:(?:${publicNames.replaceAll('^', '\\b')})[\\w-]{0,24}\\\\{0,7}["']?\\s{0,4}[:=]\\s{0,4}\\\\{0,7}["']?(?:W\\/)?\\\\{0,7}["']?|sha-?\\d{1,3}[-:=]{1,2}|base64,|\\b(?:css|js)_)$`,
  'i',
);

/** Shorter runs are words and numbers. */
const run = /[A-Za-z0-9+/_-]{20,}={0,2}/g;

/** Longer texts are the bytes of a file. */
const mostRandom = 8192;

/** Replaces what looks random in a text of any kind. Names of files stay, and what `isReadable` knows. */
export const replaceRandom = (text: string, isReadable: (run: string) => boolean, replace: Replace): string =>
  text.replace(run, (all, at: number) => {
    const isPublicAt = (start: number): boolean =>
      publicBefore.test(text.slice(Math.max(0, at + start - 64), at + start));
    if (all.length > mostRandom || isPublicAt(0)) return all;
    const isFile = (end: number): boolean => /^\.[a-z]\w{1,4}\b/i.test(text.slice(at + end, at + end + 7));
    if (looksRandom(all) && !all.startsWith('/'))
      return isFile(all.length) || isReadable(all) ? all : replace(all, 'random');
    if (!all.includes('/') && !all.includes('_')) return all;
    return all.replace(/[A-Za-z0-9-]{20,}={0,2}|[A-Za-z0-9_-]{20,}={0,2}/g, (part: string, start: number) =>
      looksRandom(part) && !isPublicAt(start) && !isFile(start + part.length) && !isReadable(part)
        ? replace(part, 'random')
        : part,
    );
  });

/** What takes the place of a secret. `kind` says what it seems to be. */
export type Replace = (secret: string, kind: string) => string;

// The first part of a token is a JSON object in base64url, so it begins with `{"` or `{` and a blank.
const jwt = /\be[wy][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*/g;
const bearer = /\b(Bearer(?:[\s+,.:]|%20|%2B){1,4})([A-Za-z0-9._~+/-]{16,}={0,2})/gi;
const basic = /\b(Basic(?:[\s+]|%20){1,4})([A-Za-z0-9+/]{6,}={0,2})/gi;
const privateKey =
  /-----BEGIN[A-Z0-9 %+]{0,60}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)?-----[\s\S]*?(?:-----END[A-Z0-9 %+]{0,60}PRIVATE(?:[ +]|%20)KEY(?:(?:[ +]|%20)BLOCK)?-----|$)/g;
/** Keys of Amazon, Google, GitHub, GitLab, Slack, Stripe, npm, other services and Atoll begin so. */
const known =
  /\b(?:(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|gl(?:pat|rt|dt|ptt)-[\w-]{16,}|xox[abceprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}|[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[\w+/=-]{16,}|sk-[A-Za-z][\w-]{19,}|sk-[A-Za-z0-9]{32,}|SG\.[\w-]{16,}\.[\w-]{16,}|npm_[A-Za-z0-9]{20,}|pypi-[\w-]{16,}|hf_[A-Za-z0-9]{20,}|hv[sbr]\.[\w-]{20,}|dop_v1_[0-9a-f]{32,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,}|dckr_pat_[\w-]{16,}|AGE-SECRET-KEY-1[0-9A-Z]{20,}|atoll_[\w-]{40,})/g;
/** Who knows the address may send. */
const hook =
  /(hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/\d{1,24}\/)([\w/-]{16,})/gi;
/** Hashes of passwords: of Drupal, PHP, Unix, Argon2, LDAP and this program. */
const passwordHash =
  /(?<![\w$])(?:\$(?:S|P|H|[156y]|2[abxy]|argon2(?:id|i|d))\$|scrypt\$|\{SSHA\d{0,3}\})[\w./+=,$-]{20,}/g;
const samlAssertion = /<((?:\w{1,32}:)?(?:Encrypted)?Assertion)\s[^<>]{0,2000}SAML:[^<>]{0,2000}>[\s\S]*?(?:<\/\1>|$)/g;
/** In a log, a command of `curl` or the body of TRACE. */
const headerLine =
  /((?<!\[redacted:)\b(?:(?:set-)?cookie2?|(?:proxy-)?authorization|(?:x-)?api-key|(?:x-[\w-]{1,32}|private|access|auth)-(?:token|key|secret|session|auth))(?:\s{0,4}:\s{0,4}))((?:(?<=^[^"'\r\n\\{]{0,64})[^\s<>\\[{][^\r\n<>\\[{]{0,4096})|[^\s"'<>\\[{][^"'\r\n<>\\[{]{0,4096})/gim;
const cookieOption = /((?<![\w-])(?:-b|--cookie)[\s=]{1,4}["']?)([^\s"'\\;=]{1,128}=[^\s"'\\]{1,4096})/g;
const passwordOption =
  /((?<![\w-])--(?:[a-z]{1,16}-)?(?:password|passwd|pass|token|secret|api-key)[\s=]{1,4}["']?|\bmysql\w{0,10}\s[^\r\n"']{0,200}?\s-p)([^\s"'\\]{4,256})/g;
const account = /((?<![\w-])(?:-u|--user|--proxy-user)(?:[\s=]|%20|\+){1,4}["']?[\w.@+-]{1,64}:)([^\s"'\\]{1,256})/g;
/** A part of a path that lets in who knows it. */
const pathPart =
  /(\/(?:[\w-]{0,32}(?:token|secret|passw\w{0,8}|reset|invite|invitation|magic|activate|verify|confirm|unsubscribe|api-?keys?|auth|sso)s?)\/)([\w~-]{12,512})(?=$|[/?#;\s"'<>&])/gi;

/** Replaces the secrets of a text that are known by their shape. */
export const replaceShapes = (text: string, replace: Replace): string =>
  text
    .replace(privateKey, (key) => replace(key, 'private-key'))
    .replace(samlAssertion, (assertion) => replace(assertion, 'assertion'))
    .replace(headerLine, (all, before: string, value: string) =>
      isCredential(value) ? `${before}${replace(value.trimEnd(), 'header')}` : all,
    )
    .replace(jwt, (token) => replace(token, 'jwt'))
    .replace(known, (key) => replace(key, 'key'))
    .replace(hook, (_all, before: string, rest: string) => `${before}${replace(rest, 'key')}`)
    .replace(passwordHash, (hash) => replace(hash, 'password-hash'))
    .replace(bearer, (all, scheme: string, token: string) =>
      /\d/.test(token) ? `${scheme}${replace(token, 'authorization')}` : all,
    )
    .replace(basic, (all, scheme: string, credentials: string) =>
      isBasic(credentials) ? `${scheme}${replace(credentials, 'authorization')}` : all,
    )
    .replace(account, (all, before: string, password: string) =>
      password.startsWith('[redacted') ? all : `${before}${replace(password, 'password')}`,
    )
    .replace(cookieOption, (_all, before: string, cookie: string) => `${before}${replace(cookie, 'cookie')}`)
    .replace(passwordOption, (all, before: string, password: string) =>
      password.startsWith('[redacted') ? all : `${before}${replace(password, 'password')}`,
    )
    .replace(pathPart, (all, before: string, part: string) =>
      looksCoded(part) ? `${before}${replace(part, 'path')}` : all,
    );

/** Words alone are a sentence about the header. */
const isCredential = (value: string): boolean =>
  !value.includes('[redacted') && (/[\d=]/.test(value) || /^\S{20,}$/.test(value));

const isBasic = (credentials: string): boolean => /^[^:\s]+:./.test(Buffer.from(credentials, 'base64').toString());
