/** Knows which permissions decide an answer of this interface. A list may ask for any other permission besides. */

const names: ReadonlySet<string> = new Set([
  ...['access content', 'access private fields', 'access taxonomy overview', 'access user profiles'],
  ...['administer comments', 'administer media', 'administer media types', 'administer nodes', 'administer redirects'],
  ...['administer site configuration', 'administer taxonomy', 'administer url aliases', 'administer users'],
  ...['bypass node access', 'create media', 'create url aliases', 'delete any file', 'delete any media'],
  ...['delete media', 'delete own files', 'restful get oai_pmh', 'update any media', 'update media'],
  ...['use islandora workbench', 'view any unpublished content', 'view media', 'view own unpublished content'],
  ...['view own unpublished media', 'view user email addresses'],
]);

/** Those with the name of a bundle, a field, a text format or a workflow in them. */
const shapes: readonly RegExp[] = [
  /^create \w+ (?:content|media)$/,
  /^(?:edit|delete) (?:any|own) \w+ (?:content|media)$/,
  /^(?:create|edit|delete) terms in \w+$/,
  /^(?:create|(?:view|edit)(?: own)?) field_\w+$/,
  /^use text format \w+$/,
  /^use \w+ transition \w+$/,
  /^administer \w+ (?:fields|form display)$/,
];

export const decidesHere = (permission: string): boolean =>
  names.has(permission) || shapes.some((shape) => shape.test(permission));
