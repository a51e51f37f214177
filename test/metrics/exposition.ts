/** Reads the text format of Prometheus (exposition format 0.0.4), and throws at what the format does not allow. */

export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};
export type Family = { readonly type: string; readonly help: string; readonly samples: readonly Sample[] };

const sampleForm = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|\+Inf|-Inf|NaN)$/;
const labelForm = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

const readLabels = (text: string): Record<string, string> => {
  const labels: Record<string, string> = {};
  labelForm.lastIndex = 0;
  while (labelForm.lastIndex < text.length) {
    const [, name = '', value = ''] = labelForm.exec(text) ?? [];
    if (name === '') throw new Error(`No label: ${text}`);
    if (name in labels) throw new Error(`The label ${name} comes twice: ${text}`);
    labels[name] = value;
  }
  return labels;
};

const readSample = (line: string): Sample => {
  const [, name, labels = '', value] = sampleForm.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`No sample: ${line}`);
  return { name, labels: readLabels(labels), value: Number(value.replace('Inf', 'Infinity')) };
};

/** The suffixes that the samples of a type may have behind the name of their family. */
const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** The families by name. Each has a HELP and a TYPE line, then its samples in one group, no two with the same labels. */
export const readExposition = (text: string): ReadonlyMap<string, Family> => {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(name)) throw new Error(`${name} comes twice.`);
      families.set(name, { type: '', help: rest, samples: [] });
      current = name;
      continue;
    }
    const family = families.get(current);
    if (family === undefined) throw new Error(`No HELP before: ${line}`);
    if (kind === 'TYPE') {
      if (name !== current || suffixes[rest] === undefined) throw new Error(`A wrong TYPE: ${line}`);
      family.type = rest;
      continue;
    }
    const sample = readSample(line);
    const isOwn = (suffixes[family.type] ?? []).some((suffix) => sample.name === current + suffix);
    if (!isOwn) throw new Error(`${sample.name} is no sample of the ${family.type} ${current}.`);
    const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(identity)) throw new Error(`A sample comes twice: ${line}`);
    seen.add(identity);
    family.samples.push(sample);
  }
  for (const [name, { type, samples }] of families) if (type === 'histogram') checkHistogram(name, samples);
  return families;
};

/** Buckets do not shrink, end with +Inf, and that one is the count. */
const checkHistogram = (name: string, samples: readonly Sample[]): void => {
  const groups = new Map<string, { bounds: number[]; values: number[]; count?: number }>();
  for (const { name: own, labels, value } of samples) {
    const { le, ...others } = labels;
    const key = JSON.stringify(Object.entries(others).sort());
    const group = groups.get(key) ?? { bounds: [], values: [] };
    groups.set(key, group);
    if (own === `${name}_count`) group.count = value;
    if (own !== `${name}_bucket`) continue;
    group.bounds.push(Number((le ?? '').replace('+Inf', 'Infinity')));
    group.values.push(value);
  }
  const isRising = (numbers: readonly number[]): boolean =>
    numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0));
  for (const { bounds, values, count } of groups.values()) {
    const isWhole = bounds.at(-1) === Infinity && values.at(-1) === count;
    if (!isWhole || !isRising(bounds) || !isRising(values)) throw new Error(`A broken histogram: ${name}`);
  }
};
