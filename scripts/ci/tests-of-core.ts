import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mirroredOf, testsBeside } from '../mutate/tests-of.js';

/** Modules of Node that change from one line to the next: network, processes, threads, streams, V8. Paths, files and hashes do not. */
const CHANGING =
  /(?:from |import\()'node:(?:async_hooks|child_process|dgram|diagnostics_channel|dns|http|http2|https|inspector|module|net|stream|tls|v8|vm|worker_threads|zlib)(?:\/\w+)?'/;

/** Rooms whose tests run whole operators, over all of the above, and that of OpenSSL's certificates. */
const WHOLE = ['test/examples', 'test/runtime/certificate-manager', 'test/testing/cluster'];

/**
 * The unit tests whose outcome depends on the line of Node: those of folders whose code uses a module of Node that changes, those that use one
 * themselves, and those of whole operators. The other tests compute (CEL, schemas, the rules of built-in kinds), or look at the tree (lint, pages, scripts).
 */
export function testsOfCore(): readonly string[] {
  const folders = new Set(filesBelow('src').filter(usesCore).map(dirname));
  const isOfFolder = (test: string): boolean => [...folders].some((folder) => dirname(test) === mirroredOf(folder));
  const beside = new Set([...folders].flatMap(testsBeside));
  const isWhole = (test: string): boolean => WHOLE.some((room) => test.startsWith(`${room}/`));
  const isOfTree = (test: string): boolean => /^test\/(docs|lint|scripts|types)\//.test(test);
  return [...filesBelow('test'), ...filesBelow('examples')]
    .filter((file) => file.endsWith('.test.ts') && !isOfTree(file))
    .filter((test) => isOfFolder(test) || beside.has(test) || isWhole(test) || usesCore(test));
}

function usesCore(file: string): boolean {
  return CHANGING.test(readFileSync(file, 'utf8'));
}

function filesBelow(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => join(root, file))
    .sort();
}
