#!/usr/bin/env node
/** `npm create keelson`: the command `keelson init`, without installing anything first. */
export {};

process.argv.splice(2, 0, 'init');
await import('@keelson/cli/main');
