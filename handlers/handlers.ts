/** The door of the handlers: the work behind each operation of the repository. */

/** The handlers of a site by operation id. A document of the site may lack operations that have one. */
export { handlersOfSite } from './all-handlers.ts';
/** The widget of each field of a bundle's form, in the order of the form: as the site has exported it, or else as a new site has it. */
export { formWidgets } from './content-model/form-display.ts';
