/** The door of the repository as an application, for any host: importing it loads nothing that reads files. */

/**
 * The repository as a server hosts it: the views of its worlds, its content, its faults, its part of the control interface. A host adds
 * `load`.
 */
export { repositoryApplication } from './repository-application.ts';
/** Makes that `load`: it is given how the document of a site is made and what checks requests, and joins them with the handlers. */
export { repositoryLoader } from './engine/load-repository.ts';
/** Does what sites do by themselves some time after a write, such as derivatives: by requests to the host, after a delay in seconds. */
export { createSiteRequests } from './events/site-requests.ts';
