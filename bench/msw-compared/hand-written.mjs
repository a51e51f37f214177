/** What somebody writes by hand with MSW and `@msw/data` for nodes: a collection, and the handlers that use it. */

/** `first` is the example of a node in the document. The libraries are those of the temporary folder. */
export const handWritten = async ({ http, HttpResponse, Collection, z, baseUrl, first }) => {
  // counted from here
  const reference = z.looseObject({ target_id: z.union([z.number(), z.string()]) });
  const nodes = new Collection({
    schema: z.looseObject({
      id: z.number(),
      title: z.array(z.looseObject({ value: z.string() })),
      type: z.array(reference),
      field_member_of: z.array(reference),
    }),
  });
  for (const id of [1, 2, 3]) {
    await nodes.create({
      ...first,
      id,
      nid: [{ value: id }],
      title: [{ value: `Object ${id}` }],
      field_member_of: id === 1 ? [] : [{ target_id: 1, target_type: 'node' }],
    });
  }
  let last = 3;
  const bodyOf = ({ id: _, ...node }) => node;
  const find = ({ id }) => nodes.findFirst((q) => q.where({ id: Number(id) }));
  const missing = () => HttpResponse.json({ message: 'There is no such node.' }, { status: 404 });
  return [
    http.get(`${baseUrl}/node/:id/members`, ({ params }) => {
      const isMember = ({ target_id: id }) => id === Number(params.id);
      const members = nodes.findMany((q) => q.where((node) => node.field_member_of.some(isMember)));
      return HttpResponse.json(members.map(bodyOf));
    }),
    http.get(`${baseUrl}/node/:id`, ({ params }) => {
      const node = find(params);
      return node === undefined ? missing() : HttpResponse.json(bodyOf(node));
    }),
    http.post(`${baseUrl}/node`, async ({ request }) => {
      last += 1;
      const made = { ...first, ...(await request.json()), id: last, nid: [{ value: last }], field_member_of: [] };
      const node = await nodes.create(made);
      return HttpResponse.json(bodyOf(node), { status: 201, headers: { Location: `${baseUrl}/node/${last}` } });
    }),
    http.patch(`${baseUrl}/node/:id`, async ({ request, params }) => {
      const changes = await request.json();
      const node = await nodes.update((q) => q.where({ id: Number(params.id) }), {
        data: (draft) => Object.assign(draft, changes),
      });
      return node === undefined ? missing() : HttpResponse.json(bodyOf(node));
    }),
  ];
  // counted to here
};
