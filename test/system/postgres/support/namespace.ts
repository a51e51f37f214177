/** A network namespace for a database, whose link can be hurt as a network is hurt. Needs root and `ip`. */
import { spawnSync } from 'node:child_process';

export type Namespace = {
  readonly name: string;
  /** The address of the inner end of the link. */
  readonly address: string;
  /** `down`: no packet passes in any direction. */
  set(state: 'up' | 'down'): void;
  /** `lost`: requests arrive and are done, and no answer comes back. */
  answers(state: 'pass' | 'lost'): void;
  remove(): void;
};

const ip = (...args: readonly string[]): void => {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr}`);
};

let made = 0;

/** With a link of its own to this machine. Throws where that is not permitted: then the test fails, because nothing was tried. */
export const createNamespace = (): Namespace => {
  const number = `${process.pid}${(made += 1)}`;
  const name = `atoll${number}`;
  const net = `10.213.${(process.pid + made) % 250}`;
  const [outer, inner] = [`ao${number}`, `ai${number}`];
  const remove = (): void => {
    spawnSync('ip', ['link', 'delete', outer]);
    spawnSync('ip', ['netns', 'delete', name]);
  };
  try {
    ip('netns', 'add', name);
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name);
    ip('address', 'add', `${net}.1/24`, 'dev', outer);
    ip('link', 'set', outer, 'up');
    ip('-n', name, 'address', 'add', `${net}.2/24`, 'dev', inner);
    ip('-n', name, 'link', 'set', inner, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch (cause) {
    remove();
    throw new Error('No network namespace can be made. Run this as root, with iproute2, where that is permitted.', {
      cause,
    });
  }
  return {
    name,
    address: `${net}.2`,
    set: (state) => ip('-n', name, 'link', 'set', inner, state),
    answers: (state) => ip('-n', name, 'route', state === 'lost' ? 'add' : 'delete', 'blackhole', `${net}.1/32`),
    remove,
  };
};
