import { explorations } from './explorations.js';
import { website } from './scenarios/website.js';

explorations(website, 450);
