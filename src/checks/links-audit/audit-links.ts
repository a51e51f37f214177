/** Audits the links of a server as some of its accounts, and writes the findings as texts. */
import { basicCredentials } from '../../basics/formats/basic-credentials.ts';
import { audit, auditJunit, auditTable, type Audit, type AuditOptions } from './audit.ts';

type AuditLinksOptions = Omit<AuditOptions, 'visitors'> & {
  /** Who follows the links, in the order of the report: accounts, and without a password the visitor called `anonymous`. */
  readonly as: readonly { readonly name: string; readonly password?: string | undefined }[];
};

/** The walks and their findings. No text of them holds the passwords. */
type AuditedLinks = Audit & {
  /** A line for each finding, in columns, then one for each account, then the sum. */
  toText(): string;
  toJunit(): string;
};

/** Follows the links from these addresses on as each account, and compares what they met. Rejects when nobody answers. */
export const auditLinks = async ({ as, ...options }: AuditLinksOptions): Promise<AuditedLinks> => {
  const visitors = as.map(({ name, password }) => ({
    name,
    headers: password === undefined ? {} : { Authorization: basicCredentials(name, password) },
  }));
  const audited = await audit({ ...options, visitors });
  return { ...audited, toText: () => auditTable(audited), toJunit: () => auditJunit(audited) };
};
