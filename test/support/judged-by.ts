/** The rules of the repository for fixtures and archives of a site. */
import { contentRulesOnDisk } from '../../src/application/content/content-rules-on-disk.ts';
import type { Site } from '../../src/repository/repository.ts';

export const judgedBy = (site: Site) => ({ rules: contentRulesOnDisk, site });
