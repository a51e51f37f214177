/** The table of the comparison as Markdown: a row for each topic, and lists of what each tool finds. */

const isFound = (tool, { name }) => (tool?.results[name]?.found.length ?? 0) > 0;
const titles = {
  verify: '`atoll verify`',
  proxy: '`atoll proxy`',
  prism: 'Prism’s proxy',
  schemathesis: 'Schemathesis',
};

/** `table` has an entry for each tool that was run: its version, its seconds, and what it found by the name of the mutant. */
export const markdownOf = (mutants, table) => {
  const tools = Object.keys(titles).filter((name) => name in table);
  const topics = [...new Set(mutants.map(({ topic }) => topic))];
  const counted = (some) => tools.map((name) => some.filter((mutant) => isFound(table[name], mutant)).length);
  const row = (first, cells) => `| ${[first, ...cells].join(' | ')} |`;
  const rows = topics.map((topic) => {
    const some = mutants.filter((mutant) => mutant.topic === topic);
    return row(topic, [some.length, ...counted(some)]);
  });
  return [
    row('Topic', [
      'planted',
      ...tools.map((name) => `${titles[name]}${table[name].version ? ` ${table[name].version}` : ''}`),
    ]),
    row('---', ['---:', ...tools.map(() => '---:')]),
    ...rows,
    row(
      '**all**',
      [mutants.length, ...counted(mutants)].map((count) => `**${count}**`),
    ),
    '',
    row('Planted bug', ['breaks', ...tools.map((name) => titles[name])]),
    row('---', ['---', ...tools.map(() => '---')]),
    ...mutants.map((mutant) =>
      row(`\`${mutant.name}\``, [
        mutant.rule.replaceAll('|', '\\|'),
        ...tools.map((name) => (isFound(table[name], mutant) ? 'found' : '–')),
      ]),
    ),
    '',
  ].join('\n');
};
