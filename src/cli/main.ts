#!/usr/bin/env node
import { text } from 'node:stream/consumers';
import { runCommandLine } from './command-line.js';

void runCommandLine(process.argv.slice(2), {
  directory: process.cwd(),
  out: (output) => process.stdout.write(output),
  error: (output) => process.stderr.write(output),
  readInput: () => text(process.stdin),
}).then((status) => {
  // Not process.exit(): it would cut off what is still on its way to a pipe.
  process.exitCode = status;
});
