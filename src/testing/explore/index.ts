/** Fault exploration: {@link explore} plays a story of users against an operator while everything around it goes wrong, and explains what it finds. */
export { ExplorationError, ExplorationSetupError } from './errors.js';
export type { Exhaustive } from './exhaustive.js';
export { explore } from './explore.js';
export type { Exploration, ExploreOptions, Judges, MakesExternals } from './options.js';
export type { FaultChoice, FaultSorts } from './plan.js';
export type { Releases } from './releases.js';
export type { MergeOf, Stage, Step, User } from './story.js';
