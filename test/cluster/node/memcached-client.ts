import { connect } from 'node:net';
import { DEADLINE_MS } from '../../deadline.cjs';

export interface Question {
  readonly address: string;
  readonly port: number;
  /** One command of memcached's text protocol, with its data. */
  readonly command: string;
}

/** The last line of an answer. */
const END = /(^|\r\n)(END|STORED|VERSION .*|ERROR.*|(CLIENT|SERVER)_ERROR .*)\r\n$/;

/** What a memcached answers, on a connection of its own. @throws Error when there is no answer in time */
export function askMemcached({ address, port, command }: Question): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: DEADLINE_MS }, () => socket.write(`${command}\r\n`));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
      if (!END.test(answer)) return;
      socket.destroy();
      resolve(answer.trimEnd());
    });
    socket.on('timeout', () => socket.destroy(new Error(`${address}:${port} did not answer ${command}`)));
    socket.on('error', reject);
    // A Pod that ends closes connections without an answer.
    socket.on('close', () => reject(new Error(`${address}:${port} closed the connection before it answered ${command}`)));
  });
}
