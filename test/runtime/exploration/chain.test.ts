import { explorations } from './explorations.js';
import { chain } from './scenarios/chain.js';

explorations(chain, { count: 90, kept: [146] });
