import { explorations } from './explorations.js';
import { chain } from './scenarios/chain.js';

explorations(chain, 350);
