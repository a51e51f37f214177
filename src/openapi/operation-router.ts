/** Finds the operations of a path by their methods. Templates that differ in the names of their parameters alone are one path. */
import { createRouter, type Router, shapeOf, type Spelling, type Template } from './router.ts';

/** Where an operation is. */
type Place<Method extends string> = Pick<Template<unknown>, 'path' | 'takesRest'> & { readonly method: Method };

/** The pieces of a match have the names of the path of its first operation. */
export const createOperationRouter = <T, Method extends string>(
  served: readonly T[],
  placeOf: (each: T) => Place<Method>,
  spelling?: Spelling,
): Router<ReadonlyMap<Method, T>> => {
  const templates = new Map<string, Template<Map<Method, T>>>();
  for (const each of served) {
    const { path, method, takesRest } = placeOf(each);
    const shape = shapeOf(path);
    const template = templates.get(shape) ?? { path, takesRest, value: new Map<Method, T>() };
    templates.set(shape, template);
    template.value.set(method, each);
  }
  return createRouter([...templates.values()], spelling);
};

/** Methods of a path in alphabetical order, HEAD wherever there is GET. `also` are answered on each path. */
export const allowedMethods = (documented: Iterable<string>, also: readonly string[] = []): string[] => {
  const names = new Set([...documented, ...also]);
  if (names.has('GET')) names.add('HEAD');
  return [...names].sort();
};
