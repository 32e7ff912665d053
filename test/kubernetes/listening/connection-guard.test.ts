import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { ConnectionGuard, type ConnectionGuardOptions } from '../../../src/kubernetes/listening/index.js';

/** A connection as far as the guard looks at it. */
class Connection extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort: number;
  isDestroyed = false;

  constructor(remotePort: number, remoteAddress: string) {
    super();
    this.remotePort = remotePort;
    this.remoteAddress = remoteAddress;
  }

  /** Its close is told later, as Node does. */
  destroy(): void {
    this.isDestroyed = true;
    setImmediate(() => this.emit('close'));
  }
}

function scene(options?: ConnectionGuardOptions) {
  const server = new EventEmitter();
  new ConnectionGuard(options).watch(server as Server);
  const opened: Connection[] = [];
  const open = ({ from = '10.0.0.1', port = 10_000 + opened.length } = {}): Connection => {
    const connection = new Connection(port, from);
    opened.push(connection);
    server.emit('connection', connection);
    return connection;
  };
  /** Begins a request. The function that it returns ends the answer. */
  const ask = (socket: Connection): (() => void) => {
    const response = new EventEmitter();
    server.emit('request', { socket }, response);
    return () => void response.emit('close');
  };
  const closed = (): readonly number[] => opened.flatMap(({ isDestroyed }, index) => (isDestroyed ? [index] : []));
  return { open, ask, closed };
}

test('connections up to the bound stay', () => {
  const { open, closed } = scene({ most: 3 });
  for (let count = 0; count < 3; count += 1) open();
  expect(closed()).toEqual([]);
});

test('each connection beyond the bound closes the one that has been unused for longest, and never itself', () => {
  const { open, closed } = scene({ most: 3 });
  for (let count = 0; count < 4; count += 1) open();
  expect(closed()).toEqual([0]);
  open();
  expect(closed()).toEqual([0, 1]);
});

test('the bound is 1,024 if none is given', () => {
  const { open, closed } = scene();
  for (let count = 0; count < 1_024; count += 1) open();
  expect(closed()).toEqual([]);
  open();
  expect(closed()).toEqual([0]);
});

test('where none may stay, the newest does until another one comes', () => {
  const { open, closed } = scene({ most: 0 });
  open();
  expect(closed()).toEqual([]);
  open();
  expect(closed()).toEqual([0]);
});

test('a connection that has been answered is unused from then on, not from its beginning', () => {
  const { open, ask, closed } = scene({ most: 2 });
  const first = open();
  open();
  ask(first)();
  open();
  expect(closed()).toEqual([1]);
});

test('a request under way is not broken off', () => {
  const { open, ask, closed } = scene({ most: 2 });
  ask(open());
  open();
  open();
  open();
  expect(closed()).toEqual([1, 2]);
});

test('a connection with two requests is in use until both are answered', () => {
  const { open, ask, closed } = scene({ most: 2 });
  const first = open();
  const [answer, answerToo] = [ask(first), ask(first)];
  open();
  answer();
  open();
  expect(closed()).toEqual([1]);
  answerToo();
  open();
  expect(closed()).toEqual([1, 2]);
  open();
  expect(closed()).toEqual([0, 1, 2]);
});

test('where every connection has a request, the oldest gives way', () => {
  const { open, ask, closed } = scene({ most: 2 });
  ask(open());
  ask(open());
  open();
  expect(closed()).toEqual([0]);
});

test('the address with most unused connections gives one up, though another has been unused for longer', () => {
  const { open, closed } = scene({ most: 3 });
  open({ from: '10.0.0.1' });
  open({ from: '10.0.0.2' });
  open({ from: '10.0.0.2' });
  open({ from: '10.0.0.3' });
  expect(closed()).toEqual([1]);
});

test('of two addresses with as many, the one that came first gives one up', () => {
  const { open, closed } = scene({ most: 2 });
  open({ from: '10.0.0.1' });
  open({ from: '10.0.0.2' });
  open({ from: '10.0.0.3' });
  expect(closed()).toEqual([0]);
});

test('requests under way do not count for their address', () => {
  const { open, ask, closed } = scene({ most: 4 });
  for (let count = 0; count < 2; count += 1) ask(open({ from: '10.0.0.1' }));
  open({ from: '10.0.0.2' });
  open({ from: '10.0.0.1' });
  open({ from: '10.0.0.2' });
  expect(closed()).toEqual([2]);
});

test('a connection that its client closes makes room', () => {
  const { open, closed } = scene({ most: 2 });
  const first = open();
  open();
  first.emit('close');
  open();
  expect(closed()).toEqual([]);
  open();
  expect(closed()).toEqual([1]);
});

test('a connection that closes amid its request makes room once, and is not closed again', () => {
  const { open, ask, closed } = scene({ most: 2 });
  const first = open();
  const answer = ask(first);
  first.emit('close');
  answer();
  open();
  open();
  expect(closed()).toEqual([]);
  open();
  expect(closed()).toEqual([1]);
});

test('a request of a connection that is being closed changes nothing', () => {
  const { open, ask, closed } = scene({ most: 1 });
  const first = open();
  open();
  expect(closed()).toEqual([0]);
  ask(first)();
  open();
  expect(closed()).toEqual([0, 1]);
});

test('a request of a connection that has closed changes nothing', () => {
  const { open, ask, closed } = scene({ most: 2 });
  const first = open();
  first.emit('close');
  ask(first)();
  open();
  open();
  open();
  expect(closed()).toEqual([1]);
});

test('under TLS a request counts for the connection of its client, whose socket is another one', () => {
  const { open, ask, closed } = scene({ most: 2 });
  const { remotePort, remoteAddress } = open();
  ask(new Connection(remotePort, remoteAddress));
  open();
  open();
  expect(closed()).toEqual([1]);
});

test('connections of one port and two addresses are two', () => {
  const { open, ask, closed } = scene({ most: 2 });
  ask(open({ from: '10.0.0.1', port: 7 }));
  open({ from: '10.0.0.2', port: 7 });
  open();
  expect(closed()).toEqual([1]);
});

test('a port that is used again belongs to the later connection, though the earlier one closes after it has come', () => {
  const { open, ask, closed } = scene({ most: 2 });
  const earlier = open({ port: 7 });
  const later = open({ port: 7 });
  earlier.emit('close');
  ask(later);
  open();
  open();
  expect(closed()).toEqual([2]);
});
