/** Checks both documents with Redocly's rules. Redocly sends telemetry unless its environment forbids it. */
process.env.REDOCLY_TELEMETRY = 'off';
process.argv.push('lint', '--config', 'redocly.yaml', 'openapi.yaml', 'src/control/openapi.yaml');
// The package exports no entry for its command.
await import(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url).href);
