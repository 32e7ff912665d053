#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCommandLine } from './command-line.js';
import { Questions } from './questions.js';

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

const questions = new Questions();
const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true;

void runCommandLine(process.argv.slice(2), {
  directory: process.cwd(),
  out: (output) => process.stdout.write(output),
  error: (output) => process.stderr.write(output),
  readInput: () => text(process.stdin),
  ask: isInteractive ? questions.ask : undefined,
  interrupted,
}).then((status) => {
  questions.close();
  // Not process.exit(): it would cut off what is still on its way to a pipe.
  process.exitCode = status;
});
