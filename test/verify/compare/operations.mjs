/** Which operation of a document a request is one of. */

const methods = ['get', 'head', 'post', 'patch', 'put', 'delete'];

const patternOf = (template) =>
  new RegExp(
    `^${template
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{path\}/g, '.+')
      .replace(/\{[^}]+\}/g, '[^/]+')}$`,
  );

/** Returns a function from a method and a target to the id of the operation; undefined when the document has none. */
export const operationFinder = ({ paths }) => {
  const rows = Object.entries(paths).map(([template, item]) => ({
    pattern: patternOf(template),
    parameters: template.split('{').length,
    ids: new Map(
      methods.filter((method) => method in item).map((method) => [method.toUpperCase(), item[method].operationId]),
    ),
  }));
  // A path without parameters goes before one with them.
  rows.sort((one, other) => one.parameters - other.parameters);
  return (method, target) => {
    const [path] = target.split('?');
    return rows.find(({ pattern }) => pattern.test(path))?.ids.get(method);
  };
};
