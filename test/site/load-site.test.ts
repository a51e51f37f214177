/** What a site's files are refused for: each message names the file, the key and the remedy. What the default site holds is tested elsewhere. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadSite } from '../support/site-sources.ts';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';

const original = fileURLToPath(new URL('../../data/site', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'atoll-site-'));
afterAll(() => rm(folder, { recursive: true }));

let copies = 0;
/** A copy of the default site, with one file rewritten. */
const siteWith = async (file: string, change: (text: string) => string): Promise<string> => {
  copies += 1;
  const copy = join(folder, String(copies));
  await cp(original, copy, { recursive: true });
  const before = await readFile(join(copy, file), 'utf8').catch(() => '');
  const after = change(before);
  if (after === before) throw new Error(`Nothing was changed in ${file}`);
  await writeFile(join(copy, file), after);
  return copy;
};

/** The message of the refusal, without the folder of the copy. */
const refusal = async (file: string, change: (text: string) => string): Promise<string> => {
  const copy = await siteWith(file, change);
  const error: unknown = await loadSite(copy).catch((cause: unknown) => cause);
  if (!(error instanceof ConfigurationError)) throw new Error(`The site was not refused: ${String(error)}`);
  return error.message.replaceAll(`${copy}/`, '');
};

const swap = (from: string, to: string) => (text: string) => text.replace(from, to);
const add = (lines: string) => (text: string) => `${text}\n${lines}\n`;

describe('A file of a site', () => {
  it('that is missing is named, with the option that chooses another site', async () => {
    await expect(loadSite(join(folder, 'nowhere'))).rejects.toThrow(
      /nowhere\/site\.yml: cannot be read: there is no such file\. Create it, or name another site with --site\./,
    );
  });

  it.each([
    {
      fault: 'that is no YAML',
      file: 'roles/editor.yml',
      change: swap('permissions:', 'permissions: ['),
      says: /^roles\/editor\.yml:\d+: is not valid YAML: /,
    },
    {
      fault: 'with a key of 100 MB',
      file: 'site.yml',
      change: add(`${'k'.repeat(100_000_000)}: 1`),
      says: /^site\.yml: has more than 8 MiB of YAML\. Divide it\.$/,
    },
    {
      fault: 'with a key twice',
      file: 'site.yml',
      change: add('langcode: en\nlangcode: de'),
      says: /^site\.yml:\d+: is not valid YAML: Map keys must be unique/,
    },
    {
      fault: 'that is nested too deeply',
      file: 'roles/editor.yml',
      change: () => `label: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
      says: /^roles\/editor\.yml:1: is not valid YAML: it is nested too deeply\./,
    },
    {
      fault: 'with an unknown key',
      file: 'site.yml',
      change: add('colour: blue'),
      says: /^site\.yml:\d+: colour: is not a known key\. Remove it or correct its spelling\.$/,
    },
    {
      fault: 'without a key it needs',
      file: 'site.yml',
      change: swap('default_scheme: public', ''),
      says: /^site\.yml:\d+: default_scheme: is missing\. Add it\.$/,
    },
    {
      fault: 'without a key inside a choice of shapes',
      file: 'site.yml',
      change: swap('user_window: 21600, ', ''),
      says: /^site\.yml:\d+: flood\.user_window: is missing\. Add it\.$/,
    },
    {
      fault: 'with a value that is none of those allowed',
      file: 'resources/entity.node.yml',
      change: swap('[jsonld, json]', '[jsonld, xml]'),
      says: /^resources\/entity\.node\.yml:\d+: configuration\.GET\.supported_formats\.1: must be \("json" \| "jsonld"\)\. Correct the value \(found "xml"\)\.$/,
    },
    {
      fault: 'with a method that enables no format',
      file: 'resources/entity.user.yml',
      change: swap('supported_formats: [json]', 'supported_formats: []'),
      says: /^resources\/entity\.user\.yml:\d+: configuration\.GET\.supported_formats: must name at least one format\. /,
    },
    {
      fault: 'with a method that accepts no provider',
      file: 'resources/entity.user.yml',
      change: swap('supported_auth: [basic_auth, jwt_auth, cookie]', 'supported_auth: []'),
      says: /^resources\/entity\.user\.yml:\d+: configuration\.GET\.supported_auth: must name at least one provider\. /,
    },
    {
      fault: 'with a name that is no machine name',
      file: 'vocabularies/family.yml',
      change: swap('id: family', 'id: Families'),
      says: /^vocabularies\/family\.yml:2: id: must be a machine name: .* \(found "Families"\)\.$/,
    },
    {
      fault: 'with a prefix that ends with a slash',
      file: 'site.yml',
      change: swap('/_flysystem/fedora', '/_flysystem/fedora/'),
      says: /^site\.yml:\d+: storages\.fedora\.prefix: must be a path that begins with \/ and does not end with it\. /,
    },
    {
      fault: 'with a permission in the form of a refusal, which grants nothing',
      file: 'roles/owner.yml',
      change: add("  - 'image: edit own media'\n  - 'video: delete any media'"),
      says: /^roles\/owner\.yml: permissions\.\d+: "image: edit own media" is not a permission: only the text of a refusal has this form\. Write "edit own image media"\.\nroles\/owner\.yml: permissions\.\d+: "video: delete any media" .* Write "delete any video media"\.$/,
    },
    {
      fault: 'with a list at an address of the program',
      file: 'lists/vocabulary.yml',
      change: swap('path: /vocabulary', 'path: /_atoll/words'),
      says: /^lists\/vocabulary\.yml:2: path: must not be an address of the program itself, such as \/_atoll or \/openapi\.json\. /,
    },
    {
      fault: 'with a list that names what the site does not have',
      file: 'lists/vocabulary.yml',
      change: (text: string) =>
        `${text.replace('/vocabulary\n', '/sites/default/files/{a}/{a}\n').replace('field: vid', 'field: vim')}arguments: { b: tid }\nroles: [nobody]\n`,
      says: /arguments\.a: is missing\..*arguments\.b: path has no \{b\}\..*parameters\.vid: no taxonomy_term has the field "vim"\..*roles: there is no role "nobody"\..*path: \/sites\/default\/files is where files are\./s,
    },
    {
      fault: 'with a list at the path of another one',
      file: 'lists/vocabulary.yml',
      change: swap('/vocabulary\n', '/term_from_uri\n'),
      says: /^lists\/vocabulary\.yml: path: "\/term_from_uri" is the path of lists\/term_from_uri\.yml already\. Give each list its own\.$/,
    },
    {
      fault: 'with rows of fields in JSON-LD',
      file: 'lists/checksum.yml',
      change: add('formats: [jsonld]'),
      says: /^lists\/checksum\.yml: formats: rows of chosen fields have no JSON-LD\. Write \[json\], or leave fields out\.$/,
    },
    {
      fault: 'with a list that shows what no field has',
      file: 'lists/checksum.yml',
      change: swap(
        '{ sha1: sha1 }',
        '{ a: filesize.b, c: { field: filename, as: url }, d: { field: name, through: filename }, e: { field: f, through: uid } }',
      ),
      says: /fields\.a: the field "filesize" keeps no "b"\. Choose from: value\..*c: as: only a reference .*Write text\..*d: through: no file has a reference "filename" to records\..*e: no user has the field "f"/s,
    },
    {
      fault: 'with a line break in its name',
      file: 'site.yml',
      change: swap('name: Contract Site', 'name: "Contract\\r\\nSet-Cookie: a=b"'),
      says: /^site\.yml:2: name: must be one line, without control characters/,
    },
    {
      fault: 'with a quotation mark in its name',
      file: 'site.yml',
      change: swap('name: Contract Site', 'name: \'The "Site"\''),
      says: /^site\.yml:2: name: must have no quotation mark/,
    },
    {
      fault: 'with the prefix of the control interface',
      file: 'site.yml',
      change: swap('/_flysystem/fedora', '/_atoll/files'),
      says: /^site\.yml:\d+: storages\.fedora\.prefix: must not begin with \/_atoll, the control interface\. /,
    },
    {
      fault: 'with a prefix that leads elsewhere',
      file: 'site.yml',
      change: swap('/_flysystem/fedora', '/files/../node'),
      says: /^site\.yml:\d+: storages\.fedora\.prefix: must have no part "\." or "\.\."\. /,
    },
    ...['__proto__', 'constructor'].map((scheme) => ({
      fault: `with the scheme ${scheme}`,
      file: 'site.yml',
      change: swap('  fedora: {', `  ${scheme}: { prefix: /elsewhere, access: open }\n  fedora: {`),
      says: new RegExp(
        `^site\\.yml:\\d+: storages\\.${scheme}: is a name that every object has already\\. Choose another`,
      ),
    })),
    {
      fault: 'with a default scheme that only every object has',
      file: 'site.yml',
      change: swap('default_scheme: public', 'default_scheme: constructor'),
      says: /^site\.yml: default_scheme: "constructor" is not among storages/,
    },
    {
      fault: 'with an icon outside of the folder',
      file: 'bundles/media.audio.yml',
      change: swap('icon: audio.png', 'icon: ../../../etc/passwd'),
      says: /^bundles\/media\.audio\.yml:\d+: source\.icon: must be the name of a file in the folder icons, without a path\. /,
    },
    {
      fault: 'with an icon that is not there',
      file: 'bundles/media.audio.yml',
      change: swap('icon: audio.png', 'icon: sound.png'),
      says: /^bundles\/media\.audio\.yml: source\.icon: there is no readable file sound\.png in icons\. Put it there, or name another\.$/,
    },
    {
      fault: 'with a hash that would take the whole memory',
      file: 'accounts.yml',
      change: swap('scrypt$16384$', 'scrypt$1073741824$'),
      says: /^accounts\.yml:\d+: accounts\.0\.password_hash: must have an N that is a power of two, and need at most 32 MiB/,
    },
    {
      fault: 'with a hash whose N is no power of two',
      file: 'accounts.yml',
      change: swap('scrypt$16384$', 'scrypt$16383$'),
      says: /^accounts\.yml:\d+: accounts\.0\.password_hash: must have an N that is a power of two/,
    },
    {
      fault: 'with a namespace that is not declared',
      file: 'bundles/media.image.yml',
      change: swap("'ebucore:height'", "'ebu:height'"),
      says: /^bundles\/media\.image\.yml: rdf\.fields\.field_height: the prefix "ebu" is unknown\. Add it to namespaces in site\.yml\.$/,
    },
  ])('$fault is refused with its name, the key and the remedy', async ({ file, change, says }) => {
    expect(await refusal(file, change)).toMatch(says);
  });
});

const account = (uid: number, name: string, last: string): string => `
  - uid: ${uid}
    uuid: 00000000-0000-4000-8000-0000000000${last}
    name: ${name}
    mail: someone@example.org
    active: true
    roles: []
    password_hash: scrypt$16384$8$1$c2FsdA==$aGFzaCBvZiAxNiBieXRlcw==`;

describe('A name that is no file', () => {
  it.each([
    ['a FIFO', 'a FIFO', (file: string) => execFileSync('mkfifo', [file])],
    ['a directory', 'a directory', (file: string) => mkdirSync(file)],
  ])('but %s is refused, and nobody waits for it', async (_kind, what, make) => {
    const copy = await siteWith('site.yml', add('# a remark'));
    for (const name of ['roles/poet.yml', 'site.yml']) {
      await rm(join(copy, name), { force: true });
      make(join(copy, name));
      await expect(loadSite(copy)).rejects.toThrow(`${name}: cannot be read: it is ${what}. `);
    }
  });

  it.each(['roles/poet.yml', 'icons/audio.png'])(
    'but a link that leads out of its folder, %s, is refused',
    async (name) => {
      const copy = await siteWith('site.yml', add('# a remark'));
      await writeFile(join(folder, 'secret'), 'root:x:0:0:secret words\n');
      await rm(join(copy, name), { force: true });
      await mkdir(join(copy, 'icons'), { recursive: true });
      await symlink(join(folder, 'secret'), join(copy, name));
      const error: unknown = await loadSite(copy).catch((cause: unknown) => cause);
      expect(String(error)).toMatch(`${name}: is a link that leads out of its folder. Put the file itself here.`);
      expect(String(error)).not.toMatch(/words/);
    },
  );

  it('but a file instead of a folder is refused', async () => {
    const copy = await siteWith('site.yml', add('# a remark'));
    await rm(join(copy, 'roles'), { recursive: true });
    await writeFile(join(copy, 'roles'), '');
    await expect(loadSite(copy)).rejects.toThrow(/roles: cannot be read: .* Make it a folder of YAML files\./);
  });
});

describe('The files of a site', () => {
  it('may leave out a switch, which is off then, and the versions that Workbench is told', async () => {
    const copy = await siteWith('site.yml', (text) =>
      text.replace(/^ {2}workbench_integration:.*\n|^workbench:.*\n/gm, ''),
    );
    const { beyond, workbench } = await loadSite(copy);
    expect(beyond).toMatchObject({ workbench_integration: false, file_upload: true });
    expect(workbench).toEqual({ integrationModuleVersion: '1.2.1', coreVersion: '10.6.0' });
    expect(await refusal('site.yml', swap('core_version: 10.6.0', 'core_version: ten'))).toMatch(
      /^site\.yml:\d+: workbench\.core_version: must be a version, such as 1\.2\.1/,
    );
  });

  it('are the default ones when nothing is changed', async () => {
    const site = await loadSite(await siteWith('site.yml', add('# a remark')));
    expect(site.name).toBe('Contract Site');
    expect(site.model.bundles('media').map(({ id }) => id)).toEqual(['audio', 'file', 'image', 'video']);
  });

  it.each([
    {
      fault: 'an account with a role that does not exist',
      file: 'accounts.yml',
      change: swap('roles: [editor]', 'roles: [editor, poet]'),
      says: /^accounts\.yml: accounts\.1\.roles\.1: there is no role "poet"\. Add roles\/poet\.yml, or choose from: .*viewer/,
    },
    {
      fault: 'two accounts with one uid',
      file: 'accounts.yml',
      change: add(account(2, 'someone', '01')),
      says: /^accounts\.yml: accounts\.\d+\.uid: uid 2 is taken by accounts\.1\.uid in accounts\.yml\. Give each its own\.$/,
    },
    {
      fault: 'two accounts with one name',
      file: 'accounts.yml',
      change: add(account(99, 'editor', '01')),
      says: /^accounts\.yml: accounts\.\d+\.name: name editor is taken by accounts\.1\.name in accounts\.yml\./,
    },
    {
      fault: 'two terms with one tid',
      file: 'vocabularies/resource_types.yml',
      change: swap('tid: 4', 'tid: 3'),
      says: /^vocabularies\/resource_types\.yml: terms\.1\.tid: tid 3 is taken by terms\.0\.tid in vocabularies\/resource_types\.yml\./,
    },
    {
      fault: 'two roles with one id',
      file: 'roles/second.yml',
      change: () => 'id: editor\nlabel: Again\npermissions: []\n',
      says: /^roles\/second\.yml: id: role editor is taken by id in roles\/editor\.yml\./,
    },
    {
      fault: 'a resource that is configured twice',
      file: 'resources/second.yml',
      change: () =>
        'resource: node\ngranularity: resource\nconfiguration: { methods: [GET], formats: [json], authentication: [cookie] }\n',
      says: /^resources\/second\.yml: resource: resource node is taken by resource in resources\/entity\.node\.yml\./,
    },
    {
      fault: 'a source field that does not exist',
      file: 'bundles/media.audio.yml',
      change: swap('source: { field: field_media_audio_file', 'source: { field: field_media_sound'),
      says: /^bundles\/media\.audio\.yml: source\.field: there is no field "field_media_sound"\. Add it to fields, or name another\.$/,
    },
    {
      fault: 'a source field that holds no file',
      file: 'bundles/media.audio.yml',
      change: swap('source: { field: field_media_audio_file', 'source: { field: field_mime_type'),
      says: /^bundles\/media\.audio\.yml: source\.field: "field_mime_type" is of type string\. Name a field of type file or image\.$/,
    },
    {
      fault: 'a node type with a source',
      file: 'bundles/node.islandora_object.yml',
      change: add('source: { field: field_pid, kind: file, icon: generic.png }'),
      says: /^bundles\/node\.islandora_object\.yml: source: only media types have a source\. Remove it\.$/,
    },
    {
      fault: 'a reference to a vocabulary that does not exist',
      file: 'bundles/node.islandora_object.yml',
      change: swap('bundles: [islandora_models]', 'bundles: [islandora_model]'),
      says: /^bundles\/node\.islandora_object\.yml: fields\.field_model\.bundles\.0: there is no taxonomy_term "islandora_model"\. Choose from: .*islandora_models/,
    },
    {
      fault: 'a reference without a target',
      file: 'bundles/media.file.yml',
      change: swap(
        'field_media_of: { label: Media of, type: entity_reference, cardinality: 1, target: node,',
        'field_media_of: { label: Media of, type: entity_reference,',
      ),
      says: /^bundles\/media\.file\.yml: fields\.field_media_of\.target: a reference needs the type it leads to\. Add one/,
    },
    {
      fault: 'a typed relation to something else than terms',
      file: 'bundles/media.file.yml',
      change: swap('fields:', 'fields:\n  field_made_by: { label: Made by, type: typed_relation, target: user }'),
      says: /^bundles\/media\.file\.yml: fields\.field_made_by\.target: a typed relation leads to terms or nodes\. Write target: taxonomy_term, or node\.$/,
    },
    {
      fault: 'a field with the name of one that every record has',
      file: 'bundles/media.file.yml',
      change: swap('fields:', 'fields:\n  status: { label: Status, type: string }'),
      says: /^bundles\/media\.file\.yml: fields\.status: every media has this field\. Give yours another name\.$/,
    },
    {
      fault: 'a mapping of a field that does not exist',
      file: 'bundles/media.file.yml',
      change: swap("field_mime_type: 'ebucore:hasMimeType'", "field_mimetype: 'ebucore:hasMimeType'"),
      says: /^bundles\/media\.file\.yml: rdf\.fields\.field_mimetype: there is no such field\. Add it to fields, or remove the mapping\.$/,
    },
    {
      fault: 'a term with a URI in a vocabulary without that field',
      file: 'vocabularies/resource_types.yml',
      change: swap('name: Collection', 'name: Collection\n    uri: http://example.org/collection'),
      says: /^vocabularies\/resource_types\.yml: terms\.0\.uri: the vocabulary has no field_external_uri\. Add the field/,
    },
    {
      fault: 'a field whose files go to a scheme that is not mounted',
      file: 'bundles/media.video.yml',
      change: swap('scheme: fedora', 'scheme: s3'),
      says: /^bundles\/media\.video\.yml: fields\.field_media_video_file\.scheme: "s3" is not among storages \(public, fedora\)\. Add it to storages in site\.yml/,
    },
    {
      fault: 'a default scheme that is not mounted',
      file: 'site.yml',
      change: swap('default_scheme: public', 'default_scheme: private'),
      says: /^site\.yml: default_scheme: "private" is not among storages \(public, fedora\)\. /,
    },
    {
      fault: 'two storages under one prefix',
      file: 'site.yml',
      change: swap('prefix: /_flysystem/fedora', 'prefix: /sites/default/files'),
      says: /^site\.yml: storages\.fedora\.prefix: "\/sites\/default\/files" is the prefix of public already\. Give each storage its own\.$/,
    },
    {
      fault: 'a language of the site that it does not speak',
      file: 'site.yml',
      change: swap('langcode: en', 'langcode: oj'),
      says: /^site\.yml: langcode: "oj" is not among languages\. Add it there, or choose en, fr/,
    },
  ])('are refused for $fault', async ({ file, change, says }) => {
    expect(await refusal(file, change)).toMatch(says);
  });

  it('are refused for all their disagreements at once, a line for each', async () => {
    const broken = (text: string): string =>
      text.replace('default_scheme: public', 'default_scheme: private').replace('langcode: en', 'langcode: oj');
    const lines = (await refusal('site.yml', broken)).split('\n');
    expect(lines.map((line) => line.split(': ')[1])).toEqual(['langcode', 'default_scheme']);
  });
});

describe('A field of a site', () => {
  const bundle = 'bundles/node.islandora_object.yml';
  const withFields = (lines: string) => swap('\nfields:', `\nfields:\n${lines}`);

  it('has the settings of its type', async () => {
    const lines = [
      "  field_rights_open: { label: R, type: list_string, allowed_values: { 'yes': Open, 'no': Closed } }",
      '  field_price: { label: P, type: decimal, min: 0, max: 9.5, scale: 3, description: In crowns. }',
      '  field_amount: { label: A, type: decimal }',
      '  field_home: { label: H, type: link, link: internal, link_title: required }',
      '  field_viaf: { label: V, type: authority_link, sources: { viaf: VIAF } }',
      '  field_born: { label: B, type: datetime, date_only: true }',
      '  field_line: { label: L, type: text, formats: [plain_text] }',
      '  field_captions: { label: C, type: media_track, extensions: [vtt] }',
      '  field_anything: { label: O, type: other }',
    ];
    const loaded = await loadSite(await siteWith(bundle, withFields(lines.join('\n'))));
    const fields = loaded.model.bundle('node', 'islandora_object')?.fields;
    expect(fields?.get('field_rights_open')).toMatchObject({ allowedValues: { yes: 'Open', no: 'Closed' } });
    expect(fields?.get('field_price')).toMatchObject({
      min: 0,
      max: 9.5,
      precision: 10,
      scale: 3,
      description: 'In crowns.',
    });
    expect(fields?.get('field_amount')).toMatchObject({ precision: 10, scale: 2 });
    expect(fields?.get('field_home')).toMatchObject({ link: 'internal', forms: { linkTitle: 'required' } });
    expect(fields?.get('field_viaf')?.forms).toMatchObject({ sources: { viaf: 'VIAF' } });
    expect(fields?.get('field_born')?.dateOnly).toBe(true);
    expect(fields?.get('field_line')).toMatchObject({ maxLength: 255, forms: { formats: ['plain_text'] } });
    expect(fields?.get('field_captions')?.target).toEqual({ type: 'file' });
    expect(fields?.get('field_anything')?.type).toBe('other');
  });

  it.each([
    [
      'type: string, min: 1',
      'min: a field of type string has no such key. Remove it, or change the type to integer or decimal or float.',
    ],
    ['type: link, allowed_values: { a: A }', 'allowed_values: a field of type link has no such key.'],
    ['type: list_integer, allowed_values: { one: One }', 'allowed_values: "one" is not a whole number. Correct it.'],
    [
      "type: list_string, allowed_values: { '': None }",
      'allowed_values: "" must have 1 to 255 characters. Correct it.',
    ],
    ['type: integer, min: 0.5', 'min: must be a whole number. Correct it.'],
    ['type: float, min: 2, max: 1', 'min: is above max. Correct one of them.'],
    ['type: decimal, scale: 11', 'scale: is above precision (10). Correct one of them.'],
  ])('is refused as { %s }', async (settings, says) => {
    expect(
      await refusal(bundle, withFields(`  field_x: { label: X, type: string }`.replace('type: string', settings))),
    ).toContain(`${bundle}: fields.field_x.${says}`);
  });

  it('keeps the addresses of terms, if it is an authority link', async () => {
    const copy = await siteWith('vocabularies/resource_types.yml', (text) =>
      text
        .replace(
          /^fields: \{\}\n/m,
          'fields:\n  field_authority: { label: A, type: authority_link, cardinality: unlimited }\n',
        )
        .replace('name: Collection', 'name: Collection\n    uri: http://example.org/collection'),
    );
    const { terms } = await loadSite(copy);
    expect(terms.find(({ tid }) => tid === 3)?.fields).toMatchObject({
      field_authority: [{ uri: 'http://example.org/collection', title: null, options: [], source: null }],
    });
  });
});
