/** Starts a RabbitMQ with its STOMP plugin: on free ports of this machine, with its files in a temporary folder. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';

const program = '/usr/lib/rabbitmq/bin/rabbitmq-server';

export type RabbitMq = { readonly port: number; readonly stop: () => Promise<void> };

export const startRabbitMq = async (): Promise<RabbitMq> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-broker-'));
  const [amqp, stomp, cluster, names] = [await freePort(), await freePort(), await freePort(), await freePort()];
  await writeFile(
    join(folder, 'rabbitmq.conf'),
    `listeners.tcp.1 = 127.0.0.1:${amqp}\nstomp.listeners.tcp.1 = 127.0.0.1:${stomp}\n`,
  );
  await writeFile(join(folder, 'plugins'), '[rabbitmq_stomp].\n');
  const env = {
    ...{ PATH: process.env['PATH'], HOME: folder, RABBITMQ_NODENAME: `atoll${stomp}@localhost` },
    ...{ RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'), RABBITMQ_LOG_BASE: join(folder, 'log') },
    ...{ RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'), RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf') },
    ...{ RABBITMQ_DIST_PORT: String(cluster), ERL_EPMD_PORT: String(names), ERL_EPMD_ADDRESS: '127.0.0.1' },
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
  const broker = spawn(program, [], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    broker.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Starting broker... completed')) resolve();
    });
    broker.on('exit', (code) => reject(new Error(`The broker ended with ${code}:\n${said}`)));
  });
  return {
    port: stomp,
    stop: async () => {
      const ended = once(broker, 'exit');
      broker.kill('SIGTERM');
      await ended;
      // The broker's own registry of names stays otherwise.
      execFileSync('epmd', ['-kill'], { env, stdio: 'ignore' });
      await rm(folder, { recursive: true, force: true });
    },
  };
};
