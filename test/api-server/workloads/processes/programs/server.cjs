// A program that tests run as a container: what it does, its arguments say.
const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');

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
      else if (pathname === '/exit') process.exit(Number(searchParams.get('code')));
      else response.end(`${process.pid}`);
    }).listen(Number(port), host, () => console.log(`listening on ${host}:${port}`));
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
