/** The start options that make a site from an exported configuration. */
import { list, path, repeated } from '../../basics/options/option-kinds.ts';
import { option } from '../../basics/options/option-rows.ts';

const onCommands = ['serve', 'exec'] as const;

/** In the order of the help. */
export const importOptions = {
  drupalConfig: option(path('<dir>'), {
    holds: onCommands,
    sentence:
      'makes the site from [the configuration that a Drupal repository exports](own-site.md#your-own-repository)',
    excludes: { site: 'makes the site' },
  }),
  also: option(repeated('<dir>'), {
    holds: onCommands,
    sentence: 'a folder laid over that of `--drupal-config`; may be repeated',
    needs: { option: 'drupalConfig' },
  }),
  terms: option(repeated('<file>'), {
    holds: onCommands,
    sentence: 'with `--drupal-config`: a table of terms in CSV; may be repeated',
    needs: { option: 'drupalConfig' },
  }),
  enable: option(list('<types>'), {
    holds: onCommands,
    sentence:
      'with `--drupal-config`: types to serve although the configuration does not enable them, such as `node,media,term`',
    needs: { option: 'drupalConfig' },
  }),
};
