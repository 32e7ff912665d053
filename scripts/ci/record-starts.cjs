/**
 * Loaded into a test file that runs a second time: creates the file that `KEELSON_RECORD_STARTS` names when the test starts a process, a thread or a
 * server, or connects to a server. A test that does none of this depends on nothing but its code, and may not pass by chance.
 *
 * jest hands the real core modules to tests, so that a method that is replaced here is the one that they call.
 */
const { writeFileSync } = require('node:fs');
const childProcess = require('node:child_process');
const { Server, Socket } = require('node:net');
const threads = require('node:worker_threads');

const file = process.env.KEELSON_RECORD_STARTS;
if (file !== undefined) {
  const record = () => writeFileSync(file, '');
  const recorded = (target, name) => {
    const method = target[name];
    target[name] = function (...parameters) {
      record();
      return Reflect.apply(method, this, parameters);
    };
  };
  recorded(childProcess.ChildProcess.prototype, 'spawn');
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) recorded(childProcess, name);
  recorded(Server.prototype, 'listen');
  recorded(Socket.prototype, 'connect');
  threads.Worker = class extends threads.Worker {
    constructor(...parameters) {
      record();
      super(...parameters);
    }
  };
}
