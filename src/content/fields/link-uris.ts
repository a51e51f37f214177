/** Judges the addresses of link fields as the real site does: by their scheme, hardly by the rest. */

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

/** Addresses inside a site: a path, a record, a route, a file below the site's root. open: whether they lead to something. */
const insideSite = /^(internal:([/?#].*)?|entity:[^/]+\/.+|route:[^;]+.*|base:.*)$/s;

export const isAllowedLink = (uri: string): boolean => {
  const scheme = schemeOf(uri);
  return scheme !== undefined && (allowedSchemes.has(scheme) || insideSite.test(uri));
};
