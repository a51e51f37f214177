/** The rules of the repository for fixtures and archives of a site. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import type { Site } from '../../src/repository/repository.ts';

export const judgedBy = (site: Site) => ({ rules: repositoryOnDisk.content, site });
