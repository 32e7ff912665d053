import { readFileSync } from 'node:fs';
import { type LockFile, lockProblems } from './lock-file.js';

/** Fails if package-lock.json leaves open what `npm ci` installs on some platform. It asks no registry. */
const problems = lockProblems(JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile);
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
