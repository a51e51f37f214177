/** Makes the packaged site `starter-site` with two accounts more: those that today's ingest client is set up with. */
import { appendFileSync, cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { randomBytes, scryptSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const packaged = join(import.meta.dirname, '../../../../data/sites/starter-site');

/** What the role of people who ingest may do on real sites: their own objects and media, and terms. */
const permissions = [
  'access content',
  'create islandora_object content',
  'edit own islandora_object content',
  'delete own islandora_object content',
  ...['image', 'extracted_text', 'document', 'file'].flatMap((type) => [
    `create ${type} media`,
    `edit own ${type} media`,
    `delete own ${type} media`,
  ]),
  ...['subject', 'person', 'genre'].flatMap((vocabulary) => [
    `create terms in ${vocabulary}`,
    `edit terms in ${vocabulary}`,
    `delete terms in ${vocabulary}`,
  ]),
  'administer url aliases',
  'create url aliases',
  'delete own files',
  'manage media',
  'manage members',
  'use islandora workbench',
  'view checksums',
  'view media',
  'view own unpublished content',
];

const accounts = [
  { uid: 901, name: 'chief', roles: ['administrator'] },
  { uid: 902, name: 'ingester', roles: ['ingester'] },
];

/** The passwords are drawn anew for each run. The hash is a cheap one. */
const withPassword = (account) => {
  const [password, salt] = [randomBytes(12).toString('hex'), randomBytes(16)];
  const [N, r, p] = [16, 8, 1];
  const hash = scryptSync(password, salt, 32, { N, r, p }).toString('base64');
  return { ...account, password, passwordHash: `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${hash}` };
};

const accountLines = ({ uid, name, roles, passwordHash }) => `  - uid: ${uid}
    uuid: 7f3a1c52-8f0e-4a53-9d0e-3a9c5b8f1${uid}
    name: ${name}
    mail: ${name}@example.org
    active: true
    roles: [${roles.join(', ')}]
    password_hash: ${passwordHash}
`;

const roleText = `id: ingester
uuid: 7f3a1c52-8f0e-4a53-9d0e-3a9c5b8f1d77
label: Ingester
is_admin: false
permissions:
${permissions.map((permission) => `  - ${permission}`).join('\n')}
`;

/** The folder of the site; by account the header that it sends, and its password. */
export const makeClientSite = () => {
  const site = mkdtempSync(join(tmpdir(), 'atoll-client-site-'));
  cpSync(packaged, site, { recursive: true });
  const people = accounts.map(withPassword);
  appendFileSync(join(site, 'accounts.yml'), people.map(accountLines).join(''));
  writeFileSync(join(site, 'roles/ingester.yml'), roleText);
  const credentials = Object.fromEntries(
    people.map(({ name, password }) => [
      name,
      { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
    ]),
  );
  return { site, credentials, passwords: Object.fromEntries(people.map(({ name, password }) => [name, password])) };
};
