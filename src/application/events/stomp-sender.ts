/** Sends the messages of a site to a broker by STOMP, each in a transaction of its own, as the real site does. */
import { Client, StompHeaders } from '@stomp/stompjs';
import { inTime } from '../../basics/in-time.ts';
import type { EventSettings, OutgoingMessage } from '../../repository/repository-content.ts';
import type { ReceiverPatience } from './receiver-away.ts';
import { TcpSocket } from './tcp-socket.ts';

const usualPort = 61613;

type StompSender = {
  readonly send: NonNullable<EventSettings['send']>;
  readonly close: () => Promise<void>;
};

/** Connects with the first message, and again with the next one after the broker was away. */
export const createStompSender = (address: URL, { answerMs }: ReceiverPatience): StompSender => {
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const port = address.port === '' ? usualPort : Number(address.port);
  const client = new Client();
  client.webSocketFactory = () => new TcpSocket(host, port);
  client.connectHeaders = headersFor(address);
  client.reconnectDelay = client.heartbeatIncoming = client.heartbeatOutgoing = 0;
  const refusal = new Error(`No broker answers at ${host}:${port}.`);
  let lastId = 0;
  return {
    send: async (message) => {
      if (!client.connected) await connected(client, refusal, answerMs);
      lastId += 1;
      await sent(client, message, { id: lastId, answerMs });
    },
    close: () => client.deactivate({ force: true }),
  };
};

const headersFor = ({ hostname, pathname, username, password }: URL): StompHeaders =>
  Object.assign(new StompHeaders(), {
    host: pathname.length > 1 ? decodeURIComponent(pathname.slice(1)) : hostname,
    ...(username === '' ? {} : { login: decodeURIComponent(username), passcode: decodeURIComponent(password) }),
  });

/** Rejects as soon as the broker refuses or the connection ends, and when nobody answers in time. */
const connected = async (client: Client, refusal: Error, answerMs: number): Promise<void> => {
  await client.deactivate({ force: true });
  await inPatience(answerMs, refusal, (resolve, reject) => {
    client.onConnect = resolve;
    client.onStompError = ({ headers }) => reject(new Error(`The broker refused: ${headers['message'] ?? ''}`));
    client.onWebSocketClose = () => reject(refusal);
    client.activate();
  });
};

/** Resolves when the broker has acknowledged the message. */
const sent = (
  client: Client,
  { queue, text, authorization }: OutgoingMessage,
  { id, answerMs }: { readonly id: number; readonly answerMs: number },
): Promise<void> =>
  inPatience(answerMs, new Error('The broker did not acknowledge the message.'), (resolve, reject) => {
    client.onStompError = ({ headers }) => reject(new Error(`The broker refused: ${headers['message'] ?? ''}`));
    client.onWebSocketClose = () => reject(new Error('The connection to the broker ended.'));
    const receipt = `message-${id}`;
    client.watchForReceipt(receipt, () => resolve());
    const transaction = client.begin(`transaction-${id}`);
    client.publish({
      destination: queue,
      body: text,
      headers: Object.assign(new StompHeaders(), {
        Authorization: authorization,
        persistent: 'true',
        transaction: transaction.id,
        receipt,
      }),
      // With a length, ActiveMQ takes a text for bytes.
      skipContentLengthHeader: true,
    });
    transaction.commit();
  });

const inPatience = (
  answerMs: number,
  late: Error,
  work: (resolve: () => void, reject: (error: Error) => void) => void,
): Promise<void> =>
  inTime(new Promise(work), answerMs, () => {
    throw late;
  });
