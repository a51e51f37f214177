/** The changelog of a release: what was unreleased gets its version and date, and a new, empty part stands above it. */
export const released = (changelog, version, date) => {
  const [, , body] = /^(## Unreleased[^\n]*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (body === undefined || body.trim() === '') throw new Error('CHANGELOG.md says nothing under "## Unreleased".');
  return changelog.replace(/^## Unreleased[^\n]*$/m, `## Unreleased\n\n## ${version} (${date})`);
};
