/** What a team has written for the operations that its overlay adds. Kept in memory, by world and node. */
const byWorld = new WeakMap();

const annotationsOf = (world, node) => {
  const nodes = byWorld.get(world.store) ?? new Map();
  byWorld.set(world.store, nodes);
  const list = nodes.get(node) ?? [];
  nodes.set(node, list);
  return list;
};

/** Opens the node as its viewer may see it: 404 and 403 are the repository's own. */
const open = async (request, world) => {
  const { node_id: id } = request.path;
  await world.repository.view(request.identity.principal, {
    type: 'node',
    id,
    absent: () => request.absent('node_id'),
  });
  return annotationsOf(world, id);
};

export const listAnnotations = async (request, world) => {
  const annotations = await open(request, world);
  return async () => ({ status: 200, mediaType: 'application/json', body: { annotations } });
};

export const createAnnotation = async (request, world) => {
  const annotations = await open(request, world);
  return async ({ json }) => {
    if (annotations.length >= 3) throw Object.assign(new Error('Three are enough.'), { status: 422 });
    const made = { id: annotations.length + 1, text: json.text };
    annotations.push(made);
    return { status: 201, mediaType: 'application/json', body: made };
  };
};
