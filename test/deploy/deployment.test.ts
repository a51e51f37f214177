/** The files that run Atoll in containers: rules that need no container daemon. `image.suite.ts` carries out the steps of the image. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { optionVariables } from '../cli/options/option-rows.ts';
import { wholeProgram } from '../cli/program.ts';
import { readBytesAddress } from '../../src/storage/storage.ts';
import { isDatabaseUrl } from '../../src/server/server.ts';
import { root } from '../support/atoll.ts';
import { readDockerfile, wordsOf } from '../support/dockerfile.ts';

const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const controlPaths = (parse(read('src/server/control/openapi.yaml')) as { paths: Record<string, { get?: object }> })
  .paths;

/** Every long option of `atoll serve`. */
const serve = (await wholeProgram()).commands.find((command) => command.name() === 'serve');
const serveOptions = new Set(serve?.options.map(({ long }) => long ?? ''));

/** Fails unless the words are a command line of `atoll serve`. */
const expectServe = (words: readonly string[]): void => {
  const [command, ...options] = words;
  expect(command).toBe('serve');
  for (const option of options.filter((word) => word.startsWith('--'))) {
    expect([...serveOptions]).toContain(option.split('=')[0]);
  }
  expect(options.join(' ')).toMatch(/--host[= ]0\.0\.0\.0/);
};

/** An exact version: no `latest`, and no tag that moves on within a minor version. */
const exactImage = /^[\w.\/-]+:(?:v?\d+\.\d+(?:\.\d+)?[\w.-]*|RELEASE\.[\w-]+)$/;

describe('Dockerfile', () => {
  const stages = readDockerfile(read('Dockerfile'));
  const last = stages.at(-1);
  const instructionsOf = (name: string) => last?.instructions.filter((each) => each.name === name) ?? [];
  const only = (name: string): string => {
    const found = instructionsOf(name);
    expect(found).toHaveLength(1);
    return found[0]?.text ?? '';
  };

  it('begins each stage with an exact version, and none with a tag that moves', () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const { base } of stages) expect(base).toMatch(exactImage);
  });

  it('copies into the last stage only from others that exist, and runs nothing in it', () => {
    const copies = instructionsOf('COPY');
    expect(copies.length).toBeGreaterThan(2);
    for (const { flags } of copies) expect(stages.slice(0, -1).map(({ name }) => name)).toContain(flags.get('from'));
    expect(instructionsOf('RUN')).toEqual([]);
    expect(instructionsOf('ADD')).toEqual([]);
  });

  it('runs as no root, on the port of the program, and asks whether it is alive', () => {
    expect(only('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(only('EXPOSE')).toBe('8000');
    expectServe(wordsOf(only('CMD')));
    expect(wordsOf(only('ENTRYPOINT'))).toEqual(['node', '/app/dist/main.js']);
    const [, ...health] = wordsOf(only('HEALTHCHECK').replace(/^CMD /, ''));
    expect(health).toEqual(['/app/dist/main.js', 'health', '--url', 'http://127.0.0.1:8000']);
  });

  it('brings no secret along', () => {
    for (const { instructions } of stages) {
      for (const { name, text } of instructions) {
        if (name === 'ENV' || name === 'ARG') expect(text).not.toMatch(/token|secret|password|key/i);
      }
    }
    const [first, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    for (const line of allowed) expect(line).toMatch(/^![\w./-]+$/);
    for (const hidden of ['.git', 'data', 'data/store', 'node_modules', 'test'])
      expect(allowed).not.toContain(`!${hidden}`);
  });
});

type Service = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, unknown> | string[];
  volumes?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  ports?: string[];
};

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  const atolls = Object.entries(services).filter(([name]) => name.startsWith('atoll-'));

  it('has three Atolls, of which each runs as no root on a read-only root with options that exist', () => {
    expect(atolls).toHaveLength(3);
    for (const [, { command = [], user, read_only, cap_drop, environment = {} }] of atolls) {
      expectServe(command);
      expect([user, read_only, cap_drop]).toEqual(['1000:1000', true, ['ALL']]);
      expect(isDatabaseUrl(environment['ATOLL_STORE'] ?? '')).toBe(true);
      expect(readBytesAddress(environment['ATOLL_BYTES'] ?? '', 'ATOLL_BYTES')).toMatchObject({ pathStyle: true });
    }
  });

  it('names services, volumes and exact images, and takes secrets from the environment', () => {
    for (const [name, service] of Object.entries(services)) {
      if (!name.startsWith('atoll-')) expect(service.image).toMatch(exactImage);
      const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      for (const other of needed) expect(Object.keys(services)).toContain(other);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(read(source)).not.toBe('');
        else expect(Object.keys(volumes)).toContain(source);
      }
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        if (/PASSWORD|SECRET|TOKEN/.test(variable)) expect(value).toMatch(/^\$\{\w+:\?/);
      }
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('has a balancer that knows the three, asks them whether they are ready, and keeps nobody to one of them', () => {
    const balancer = read('deploy/Caddyfile');
    const upstreams = atolls.map(([name]) => `${name}:8000`).join(' ');
    expect(balancer).toContain(`reverse_proxy ${upstreams} {`);
    expect(balancer).toContain('lb_policy round_robin');
    expect(controlPaths[/health_uri (\S+)/.exec(balancer)?.[1] ?? '']?.get).toBeDefined();
    expect(services['balancer']?.ports?.[0]?.split(':').at(-1)).toBe(/^:(\d+) \{/m.exec(balancer)?.[1]);
  });
});

type Probe = { httpGet: { path: string; port: string } };
type Labels = Record<string, string>;
type Manifest = { kind: string; metadata: { name: string }; spec: Record<string, never> };
type PodSpec = {
  securityContext: Record<string, unknown>;
  terminationGracePeriodSeconds: number;
  containers: {
    image: string;
    args: string[];
    env: { name: string; value?: string; valueFrom?: { secretKeyRef?: object } }[];
    ports: { name: string; containerPort: number }[];
    securityContext: Record<string, unknown>;
    volumeMounts: { name: string; mountPath: string }[];
    resources: { limits: { memory: string } };
    startupProbe: Probe;
    readinessProbe: Probe;
    livenessProbe: Probe;
  }[];
  volumes: { name: string }[];
};

describe('deploy/kubernetes', () => {
  const folder = 'deploy/kubernetes';
  const manifests = readdirSync(join(root, folder))
    .filter((name) => name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(read(join(folder, name))).map((each) => each.toJS() as Manifest));
  const specOf = (kind: string) => manifests.find((each) => each.kind === kind)?.spec as never;
  const { replicas, selector, template } = specOf('Deployment') as {
    replicas: number;
    selector: { matchLabels: Labels };
    template: { metadata: { labels: Labels }; spec: PodSpec };
  };
  const [container, ...others] = template.spec.containers;
  if (container === undefined) throw new Error('There is no container.');

  it('lists all its files', () => {
    const { resources } = parse(read(join(folder, 'kustomization.yaml'))) as { resources: string[] };
    const present = readdirSync(join(root, folder)).filter((name) => name !== 'kustomization.yaml');
    expect([...resources].sort()).toEqual(present.sort());
    expect(others).toEqual([]);
  });

  it('runs several processes as no root on a read-only root without rights', () => {
    expect(replicas).toBeGreaterThan(1);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ['ALL'] },
    });
    expect(container.image).toMatch(exactImage);
    expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/);
    const volumes = template.spec.volumes.map(({ name }) => name).sort();
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes);
  });

  it('starts the program with options that exist, and reads no secret from the manifest', () => {
    expectServe(container.args);
    const named = container.args.flatMap((word) => [...word.matchAll(/\$\((\w+)\)/g)].map(([, name]) => name));
    expect(container.env.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
    for (const { name, value, valueFrom } of container.env) {
      if (name === 'ATOLL_STORE') expect(isDatabaseUrl(value ?? '') && !/:[^/]*@/.test(value ?? '')).toBe(true);
      if (name === 'ATOLL_BYTES') expect(readBytesAddress(value ?? '', name).bucket).not.toBe('');
      if (/SECRET|PASSWORD|TOKEN|KEY/.test(name)) expect(valueFrom?.secretKeyRef).toBeDefined();
    }
    const notice = Number(/--drain-notice=(\d+)/.exec(container.args.join(' '))?.[1]);
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(notice + 30);
  });

  it('asks at paths that exist: ready for traffic, and alive', () => {
    const ports = container.ports.map(({ name }) => name);
    const paths = [container.startupProbe, container.readinessProbe, container.livenessProbe].map(({ httpGet }) => {
      expect(ports).toContain(httpGet.port);
      expect(controlPaths[httpGet.path]?.get).toBeDefined();
      return httpGet.path;
    });
    expect(paths).toEqual(['/_atoll/health', '/_atoll/ready', '/_atoll/health']);
    const port = Number(/--port=(\d+)/.exec(container.args.join(' '))?.[1]);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
  });

  it('reaches all processes through the service, and keeps some of them in a disruption', () => {
    const service = specOf('Service') as {
      selector: Labels;
      ports: { targetPort: string }[];
      sessionAffinity?: string;
    };
    const budget = specOf('PodDisruptionBudget') as { minAvailable: number; selector: { matchLabels: Labels } };
    expect(service.selector).toEqual(template.metadata.labels);
    expect(service.sessionAffinity).toBeUndefined();
    expect(service.ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    expect(selector.matchLabels).toEqual(template.metadata.labels);
    expect(budget.selector.matchLabels).toEqual(template.metadata.labels);
    expect(budget.minAvailable).toBeLessThan(replicas);
  });
});

describe('docs/use/team-server.md', () => {
  it('has a service container that starts with the command of the image: its environment allows it', () => {
    const [, yaml = ''] = /```yaml\n(jobs:\n[^`]+)```/.exec(read('docs/use/team-server.md')) ?? [];
    type Job = { services: { atoll: Service }; steps: { run: string }[] };
    const { jobs } = parse(yaml) as { jobs: Record<string, Job> };
    const [job] = Object.values(jobs);
    const { image, environment, ports, env } = { env: {}, ...job?.services.atoll } as Service & { env: object };
    expect(image).toMatch(exactImage);
    expect(ports).toEqual(['8000:8000']);
    expect(environment).toBeUndefined();
    for (const variable of Object.keys(env)) expect(optionVariables).toContain(variable);
    expect(Object.keys(env)).toContain('ATOLL_DEMO_ACCOUNTS');
    for (const { run } of job?.steps ?? []) {
      const [path] = /\/_atoll\/\w+/.exec(run) ?? [];
      if (path !== undefined) expect(Object.keys(controlPaths)).toContain(path);
    }
  });
});
