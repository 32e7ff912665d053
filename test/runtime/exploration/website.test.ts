import { explorations } from './explorations.js';
import { website } from './scenarios/website.js';

explorations(website, { count: 120, kept: [251, 493] });
