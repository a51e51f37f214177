/** Judges addresses as the real site does: of links by their scheme, and of e-mail by RFC 5322 without its tolerated forms. */
/** The schemes that a link may have, in lower case only. */
const allowedSchemes: ReadonlySet<string> = new Set([
  ...['http', 'https', 'ftp', 'news', 'nntp', 'tel', 'telnet', 'mailto', 'irc', 'ssh', 'sftp', 'webcal', 'rtsp'],
]);

/**
 * The scheme of an address as PHP reads it: `a:80` and `a:80/b` are a host with a port. Undefined without a scheme, and for an
 * address whose host or port PHP cannot read.
 */
export const schemeOf = (uri: string): string | undefined => {
  const [, scheme, rest = ''] = /^([A-Za-z0-9+.-]+):(.*)$/s.exec(uri) ?? [];
  if (scheme === undefined || /^\d{1,5}(\/|$)/.test(rest)) return undefined;
  const [, authority] = /^\/\/([^/?#]*)/.exec(rest) ?? [];
  if (authority === undefined || (authority === '' && scheme === 'file')) return scheme;
  const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/s.exec(authority) ?? [];
  return host === '' || Number(port) > 65_535 ? undefined : scheme;
};

/** The types of records that have a page on a real site. open: those of its further modules. */
const typesWithPage = 'node|media|taxonomy_term|user|comment|block_content|menu_link_content|contact_form';

/** Addresses inside a site: a path, a record, a route, a file below the site's root. open: whether they lead to something. */
const insideSite = new RegExp(`^(internal:([/?#].*)?|entity:(${typesWithPage})/.+|route:[^;]+.*|base:.*)$`, 's');

export const isInsideSite = (uri: string): boolean => /^(internal|entity|route|base):/.test(uri);

/** `base:80` is a path, although PHP reads a port. Only that it has no scheme is wrong then. */
export const isAllowedLink = (uri: string): boolean => {
  const scheme = schemeOf(uri);
  return /^base:\d/.test(uri) || (scheme !== undefined && (allowedSchemes.has(scheme) || insideSite.test(uri)));
};

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
