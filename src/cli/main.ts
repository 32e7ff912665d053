#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCommandLine } from './command-line.js';
import { Questions } from './questions.js';
import type { Screen } from './terminal.js';

/** From the keyboard, from a supervisor, from a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function interrupted(): Promise<string> {
  return new Promise((resolve) => {
    const stop = (signal: string): void => {
      for (const name of SIGNALS) process.off(name, stop);
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, stop);
  });
}

/** In raw mode the terminal sends Ctrl-C as a key: it must still interrupt. */
const CTRL_C = '\u0003';

/** As old as terminals are: for one that does not say how large it is. */
const USUAL_SIZE = { columns: 80, rows: 24 };

const screen: Screen = {
  columns: () => process.stdout.columns || USUAL_SIZE.columns,
  rows: () => process.stdout.rows || USUAL_SIZE.rows,
  onKey: (listener) => {
    const { stdin } = process;
    const onData = (keys: string): void => {
      for (const key of keys) {
        if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
        else listener(key);
      }
    };
    stdin.setRawMode(true).setEncoding('utf8').on('data', onData).resume();
    return () => {
      stdin.off('data', onData).setRawMode(false).pause();
    };
  },
};

/** From the start of the line to its end. */
const CLEAR_LINE = '\r\u001B[K';

let isShown = false;
/** Cut to the terminal: a line that wraps could not be removed. */
function progress(text: string): void {
  if (!isShown && text === '') return;
  isShown = text !== '';
  process.stderr.write(`${CLEAR_LINE}${text.slice(0, Math.max(1, (process.stderr.columns || USUAL_SIZE.columns) - 1))}`);
}

const BROKEN_PIPE_STATUS = 128 + 13;

/** The reader of the output has gone, as `head` does: no more is wanted. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // A command that must clear away hears of it as of the end of its terminal.
  if (process.listenerCount('SIGHUP') > 0) process.kill(process.pid, 'SIGHUP');
  else process.exit(BROKEN_PIPE_STATUS);
});

const questions = new Questions();
const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true;

void runCommandLine(process.argv.slice(2), {
  program: process.argv[1] ?? '',
  directory: process.cwd(),
  out: (output) => process.stdout.write(output),
  error: (output) => process.stderr.write(output),
  readInput: () => text(process.stdin),
  ask: isInteractive ? questions.ask : undefined,
  screen: isInteractive ? screen : undefined,
  // https://no-color.org: any value but the empty one.
  colours: isInteractive && (process.env['NO_COLOR'] ?? '') === '',
  progress: process.stderr.isTTY === true ? progress : undefined,
  interrupted,
}).then((status) => {
  questions.close();
  // Not process.exit(): it would cut off what is still on its way to a pipe.
  process.exitCode = status;
});
