import { applyLives } from './apply-lives.js';
import { definitionLives } from './definition-lives.js';
import { componentLives, kindLives, listLives } from './kind-lives.js';
import type { Life } from './life.js';
import { patchLives } from './patch-lives.js';

/** In the order in which a server is asked: the lives of one file can stand on each other. */
export const allLives: readonly Life[] = [...definitionLives, ...componentLives, ...listLives, ...kindLives, ...patchLives, ...applyLives];
