/** Keeps notes in a collection, for the samples that have records of one. */
export const listNotes = async (_request, world) => ({ body: await world.collection('notes').list() });

export const addNote = async ({ body }, world) => {
  const id = await world.collection('notes').transact((notes) => {
    const own = body.id ?? String(notes.nextNumber());
    notes.put(own, body);
    notes.collection('a/b').put(`of ${own}`, [notes.list().length]);
    return own;
  });
  return { status: 201, body: { id } };
};

export const dropNote = async ({ path }, world) => ({
  status: (await world.collection('notes').delete(path.id)) ? 204 : 404,
});
