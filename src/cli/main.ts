#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCommandLine } from './command-line.js';

/** From the keyboard, from whoever runs the process, from a terminal that is closed. */
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

/** Loaded when the first question is asked: most commands ask none. */
async function ask(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((resolve) => {
    // Ctrl-C and the end of the input close it without a line.
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => resolve(undefined));
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
}

const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true;

void runCommandLine(process.argv.slice(2), {
  directory: process.cwd(),
  out: (output) => process.stdout.write(output),
  error: (output) => process.stderr.write(output),
  readInput: () => text(process.stdin),
  ask: isInteractive ? ask : undefined,
  interrupted,
}).then((status) => {
  // Not process.exit(): it would cut off what is still on its way to a pipe.
  process.exitCode = status;
});
