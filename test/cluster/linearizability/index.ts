// Histories of concurrent clients, and whether a register could have answered so.
export { type Answered, type Asked, History } from './history.js';
export { expectLinearizable, judge, linearizabilityChecker, type Verdict } from './judge.js';
export { RegisterClients } from './register-clients.js';
