/** Reads the section `manifests` of a site's `living.yml`: which IIIF manifests the site has, and where the pictures in them are. */
import * as v from 'valibot';
import type { Site } from '../../site/site.ts';
import { readSection } from '../section.ts';

/** A path of the site with the node in it. No part is `.` or `..`, and none belongs to the program. */
const path = v.pipe(
  v.string(),
  v.regex(/^(\/([A-Za-z0-9_~-][A-Za-z0-9._~-]*|\{node\}))+$/, 'must be a path of names with {node} in it'),
  v.check((text) => text.split('/').filter((part) => part === '{node}').length === 1, 'must have {node} once'),
  v.check((text) => /^\/[A-Za-z0-9]/.test(text), 'must begin with a name'),
);

/** One display of a view: which pictures are the pages of a manifest. */
const manifestView = v.strictObject({
  path,
  /** The title of the view, which is the label of the manifest where `label` says so. */
  title: v.optional(v.string(), ''),
  /** Whose media the pages are: those of the node itself, or of its members. */
  of: v.picklist(['node', 'members']),
  /** The address of the term that the media have as their use. */
  use: v.pipe(v.string(), v.nonEmpty()),
  /** The fields of the media that have the pictures. */
  fields: v.pipe(v.array(v.string()), v.nonEmpty('must name at least one field')),
  /** Whether the requester must be allowed to view the node. */
  check: v.optional(v.boolean(), false),
  /** Where one may search in the text, as in `paged-content-search/%node`. */
  search: v.optional(v.string()),
  /** The address of the term of media with text and its place on the page. */
  text_use: v.optional(v.string(), 'https://discoverygarden.ca/use#hocr'),
  permissions: v.optional(v.array(v.string()), []),
});

const manifestSettings = v.strictObject({
  // An address, or a path of this server, which then is the image server itself.
  image_server: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(https?:\/\/|(\/[A-Za-z0-9_-]+)+$)/, 'must be an address, or a path that does not end with /'),
    ),
    '/iiif/2',
  ),
  /** Whether the image server knows pictures by their paths alone. */
  relative_paths: v.optional(v.boolean(), false),
  /** What a manifest is called: as its node, as its view, nothing, or the same for all. */
  label: v.optional(v.picklist(['node', 'view', 'none', 'fixed']), 'node'),
  views: v.pipe(v.array(manifestView), v.nonEmpty('must have at least one view')),
});

export type ManifestView = v.InferOutput<typeof manifestView>;
export type ManifestSettings = v.InferOutput<typeof manifestSettings>;

/** Undefined for a site without manifests. Throws `ConfigurationError`. */
export const manifestsOf = (site: Site): ManifestSettings | undefined =>
  readSection(site, 'manifests', manifestSettings);
