/** The REST resources of a site, as its configuration has them. */
import type { HttpMethod, Site } from '../../src/repository/repository.ts';

export type Resource = NonNullable<ReturnType<Site['resources']['get']>>;
export type MethodConfiguration = NonNullable<ReturnType<Resource['methods']['get']>>;
export type Methods = Partial<Record<HttpMethod, MethodConfiguration>>;

/** A method that takes every format and every provider. */
export const everything: MethodConfiguration = {
  formats: ['jsonld', 'json'],
  providers: ['basic_auth', 'jwt_auth', 'cookie'],
};
