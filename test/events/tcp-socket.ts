/** The connection of the program to a broker, for a test that is another client of it. */
export { TcpSocket } from '../../src/application/events/tcp-socket.ts';
