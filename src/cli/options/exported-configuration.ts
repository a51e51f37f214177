/** Joins the folders that a user names with the part of the program that imports them. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { ExportedConfiguration, ImportSource } from '../../openapi/openapi-host.ts';
import type { Rim } from '../command-context.ts';

/** Most servers import nothing: the part is loaded when the folders are read. Then a program without it rejects with `ConfigurationError`. */
export const exportedConfiguration = (source: ImportSource, { sites }: Rim): ExportedConfiguration => ({
  ...source,
  read: async () => {
    if (sites === undefined)
      throw new ConfigurationError('This Atoll imports no configuration. Leave out --drupal-config.');
    return (await sites()).importSource(source);
  },
});
