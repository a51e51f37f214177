/** The handlers of the module that Islandora Workbench wants on a site. Beyond the contract. */
import { digestOfStream, type DigestName } from '../src/basics/secrets/digest.ts';
import { bundleAt, fieldAt, storageAt } from '../src/repository/repository-sites.ts';
import { requirePermission } from './content-model.ts';
import { showFieldConfig, showFieldStorageConfig } from './content-model/field-config.ts';
import { showFormDisplay } from './content-model/form-display.ts';
import { byUuid, type Records, unwatched, type Principal, type World } from '../src/repository/repository.ts';
import { mayView, type Viewer } from '../src/repository/repository-content.ts';
import { jsonReply } from '../src/openapi/openapi-host.ts';
import type { Reader } from '../src/repository/repository-engine.ts';
import { type Entity, schemeOf } from '../src/openapi/openapi-records.ts';
import { moduleRefusal } from '../src/openapi/openapi-terms.ts';

const permissions = ['administer site configuration', 'use islandora workbench'];

/** The module asks for the permission before it looks at the question. */
const requireWorkbench = (principal: Principal): void => requirePermission(principal, ...permissions);

export const getWorkbenchVersion: Reader<'getWorkbenchVersion'> = ({ identity }, { site }) => {
  requireWorkbench(identity.principal);
  return () => jsonReply({ integration_module_version: site.workbench.integrationModuleVersion });
};

export const getWorkbenchCoreVersion: Reader<'getWorkbenchCoreVersion'> = ({ identity }, { site }) => {
  requireWorkbench(identity.principal);
  return () => jsonReply({ core_version: site.workbench.coreVersion });
};

const algorithms = ['md5', 'sha1', 'sha256'] as const satisfies readonly DigestName[];

export const getWorkbenchFileHash: Reader<'getWorkbenchFileHash'> = ({ identity, query }, world, records) => {
  const { principal } = identity;
  requireWorkbench(principal);
  return () => jsonReply(hashAnswer(query, { principal, records, site: world.site }, world));
};

type HashQuery = { readonly file_uuid?: string | undefined; readonly algorithm?: string | undefined };
type FileViewer = Viewer & { readonly records: Records };

/** A wrong question is not refused: the module says so with 200. */
const hashAnswer = ({ file_uuid: uuid, algorithm: name }: HashQuery, viewer: FileViewer, { blobs }: World) => {
  if (uuid === undefined || name === undefined) {
    return { error: 'Request is missing either the "file_uuid" or "algorithm" parameter.' };
  }
  const algorithm = algorithms.find((each) => each === name);
  if (algorithm === undefined) {
    return { error: '"algorithm" parameter must be one of "md5", "sha1", or "sha256".' };
  }
  const [file] = viewer.records.lookup(byUuid('file', uuid));
  if (file === undefined) return { error: `No file found with UUID ${uuid}.` };
  if (!mayView(file, viewer)) throw moduleRefusal(403, 'You do not have permission to view this file.');
  const checksum = checksumOf(file, { ...{ algorithm, blobs }, records: viewer.records });
  return [{ checksum, file_uuid: file.uuid, algorithm }];
};

type Checksum = Pick<World, 'blobs'> & { readonly algorithm: DigestName; readonly records: Records };

/** open: of a file that has lost its bytes the module's answer is a warning in the log and no checksum; here it is empty. */
const checksumOf = (file: Entity, { algorithm, blobs, records }: Checksum): string => {
  const { blob } = file;
  if (blob === undefined) return '';
  if (algorithm === 'sha256') return blob.sha256;
  const read = async (): Promise<string> => {
    const bytes = await blobs.get(schemeOf(file))?.open(blob);
    return bytes === undefined ? '' : digestOfStream(algorithm, bytes);
  };
  return records.later(algorithm, [file], read, unwatched) ?? '';
};

/** The module leaves out the uuid, and of a form the widgets. */
const without = <T extends object>(body: T, ...names: readonly string[]): T =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))) as T; // every schema can do without them

const bundleMissing = () => moduleRefusal(404, 'Bundle does not exist for the given entity type.');

export const getWorkbenchFormDisplay: Reader<'getWorkbenchFormDisplay'> = ({ identity, path }, { site }) => {
  requireWorkbench(identity.principal);
  const bundle = bundleAt(site.model, path.entity_type, path.bundle);
  if (bundle === undefined) throw bundleMissing();
  const display = showFormDisplay(site, bundle, 'default');
  if (display === undefined) {
    throw moduleRefusal(404, 'Entity form display for the given type and bundle does not exist.');
  }
  return () => jsonReply(without(display, 'uuid', 'content', 'third_party_settings'));
};

export const getWorkbenchFieldConfig: Reader<'getWorkbenchFieldConfig'> = ({ identity, path }, { site }) => {
  requireWorkbench(identity.principal);
  const { entity_type: type, bundle, field_name: name } = path;
  if (bundleAt(site.model, type, bundle) === undefined) throw bundleMissing();
  const found = fieldAt(site.model, `${type}.${bundle}.${name}`);
  if (found === undefined) throw moduleRefusal(404, 'Field configuration not found.');
  return () => jsonReply(without(showFieldConfig(site, found.bundle, found.field), 'uuid'));
};

export const getWorkbenchFieldStorageConfig: Reader<'getWorkbenchFieldStorageConfig'> = (
  { identity, path },
  { site },
) => {
  requireWorkbench(identity.principal);
  const found = storageAt(site.model, `${path.entity_type}.${path.field_name}`);
  if (found === undefined) throw moduleRefusal(404, 'Field storage configuration not found.');
  return () => jsonReply(without(showFieldStorageConfig(site, found.entityType, found.field), 'uuid'));
};
