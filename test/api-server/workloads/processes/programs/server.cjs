// A program that tests run as a container: what it does, its arguments say.
const { createSocket } = require('node:dgram');
const { lookup } = require('node:dns');
const { createServer, get } = require('node:http');
const { appendFileSync, readFileSync } = require('node:fs');
const { createServer: createSecureServer } = require('node:https');
const { createServer: createHttp2Server } = require('node:http2');
const { join } = require('node:path');

const [what = 'serve', ...rest] = process.argv.slice(2);
const behaviours = {
  /** Answers HTTP with what it is asked for. */
  serve([host, port = '8080']) {
    process.on('SIGTERM', () => {
      console.log('asked to end');
      process.exit(0);
    });
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url, 'http://x');
      if (pathname === '/env') response.end(JSON.stringify(process.env));
      else if (pathname === '/file') response.end(readFileSync(searchParams.get('path')));
      else if (pathname === '/lookup')
        lookup(searchParams.get('name'), { all: true }, (error, found) =>
          response.end(error?.code ?? JSON.stringify(found.map(({ address }) => address))),
        );
      else if (pathname === '/fetch')
        get(searchParams.get('url'), { agent: false }, (answer) => answer.pipe(response)).on('error', ({ code }) => response.end(code));
      else if (pathname === '/exit') process.exit(Number(searchParams.get('code')));
      else response.end(`${process.pid}`);
    }).listen(Number(port), host, () => console.log(`listening on ${host}:${port}`));
  },
  /** Answers datagrams with its pid and what it was sent. */
  datagrams([host]) {
    const socket = createSocket('udp4', (message, { address, port }) => socket.send(`${process.pid} ${message}`, port, address));
    socket.bind(8053, host, () => console.log('bound'));
  },
  /** Answers HTTPS with the pair in a folder. */
  secure([host, folder]) {
    const pair = { key: readFileSync(join(folder, 'tls.key')), cert: readFileSync(join(folder, 'tls.crt')) };
    createSecureServer(pair, (_request, response) => response.end('secure')).listen(8080, host);
  },
  /** Refuses what it is asked to review, in the name of its Pod, with the pair in a folder. */
  review([host, folder]) {
    const pair = { key: readFileSync(join(folder, 'tls.key')), cert: readFileSync(join(folder, 'tls.crt')) };
    createSecureServer(pair, (request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { apiVersion, kind, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
        const message = `refused by ${process.env.HOSTNAME}`;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: false, status: { message } } }));
      });
    }).listen(8443, host);
  },
  /** Answers gRPC's health checks: with the status that a file says, for the service `main` alone. */
  grpc([host, file]) {
    createHttp2Server()
      .on('stream', (stream, headers) => {
        let asked = Buffer.alloc(0);
        stream.on('data', (chunk) => (asked = Buffer.concat([asked, chunk])));
        stream.on('end', () => {
          const isKnown = headers[':path'] === '/grpc.health.v1.Health/Check' && asked.toString('utf8', 7) === 'main';
          stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
          stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': isKnown ? '0' : '5' }));
          stream.end(isKnown ? Buffer.from([0, 0, 0, 0, 2, 8, Number(readFileSync(file, 'utf8'))]) : undefined);
        });
      })
      .listen(8080, host, () => console.log('listening'));
  },
  /** Notes in a file what it is asked for, and its end. */
  notes([host, file]) {
    const note = (text) => appendFileSync(file, `${text}\n`);
    process.on('SIGTERM', () => {
      note('SIGTERM');
      process.exit(0);
    });
    createServer((request, response) => {
      note(`${request.method} ${request.url}`);
      response.statusCode = request.url === '/broken' ? 500 : 200;
      response.end();
    }).listen(8080, host, () => note('listening'));
  },
  /** Ends by itself. */
  exit([code = '0', text = '']) {
    if (text !== '') console.log(text);
    process.exitCode = Number(code);
  },
  /** Ends for nothing but SIGKILL. */
  stubborn() {
    process.on('SIGTERM', () => console.log('ignored'));
    setInterval(() => undefined, 1000);
    console.log('stubborn');
  },
};
behaviours[what](rest);
