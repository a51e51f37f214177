/** Writes a remembered request as text for people: its verdict, every broken rule, and the corrected request. */
import type { components } from '../../client/generated/control.ts';

type Schemas = components['schemas'];
type Entry = Schemas['TrafficEntry'];

/** One line for the request, one for each advice and each broken rule, and one with a corrected request. */
export const trafficText = ({ id, method, path, status, operation, identity, duration, ...rest }: Entry): string => {
  const head = [
    String(id).padStart(5),
    method.padEnd(6),
    path,
    status,
    operation ?? '(no operation)',
    identity?.name ?? '(not identified)',
    `${duration} ms`,
    ...(rest.verdict.request === 'lenient' ? ['lenient'] : []),
    ...(rest.disturbance === undefined ? [] : [rest.disturbance]),
  ];
  const violations = [
    ...(rest.requestFaults.length > 0 && rest.message !== undefined
      ? [`      answered: ${rest.message.trim().replaceAll('\n', ' ')}`]
      : []),
    ...rest.requestFaults.map((rule) => violationLine('request', rule)),
    ...rest.replyFaults.map((rule) => violationLine('REPLY', rule)),
  ];
  const correction = rest.corrected === undefined ? [] : [`      try: ${rest.corrected}`];
  const advice = [
    ...(identity?.advice === undefined ? [] : [`      advice: ${identity.advice}`]),
    ...rest.advice.map(adviceLine),
  ];
  return [head.join('  '), ...advice, ...violations, ...correction].join('\n');
};

const adviceLine = ({ pointer, sent, before, stored, reason }: Schemas['Advice']): string => {
  const values = [
    ...(sent === undefined ? [] : [`sent ${JSON.stringify(sent)}`]),
    ...(before === undefined ? [] : [`before ${JSON.stringify(before)}`]),
    `stored ${stored === undefined ? 'nothing' : JSON.stringify(stored)}`,
  ];
  return `      advice: ${pointer} ${values.join(', ')}. ${reason}`;
};

const violationLine = (side: string, { rule, pointer, message, arrived, document }: Schemas['BrokenRule']): string => {
  const source = document === undefined ? '' : `  [${document.file ?? 'openapi.yaml'}:${document.line}]`;
  const value = arrived === undefined ? '' : `; arrived ${arrived}`;
  return `      ${side} ${pointer || '/'}: ${message.trim().replaceAll('\n', ' ')} (${rule})${value}${source}`;
};
