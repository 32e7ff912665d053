import { switchLevelBySignal } from '../../../src/runtime/host/log-switch.js';
import { createLog } from '../../../src/runtime/telemetry/index.js';
import { FakeProcess } from './fake-process.js';

test.each(['info', 'error', 'debug'] as const)('SIGUSR2 shows more than %s, and then as much as before', async (level) => {
  const lines: string[] = [];
  const log = await createLog({ level, write: (line) => void lines.push((JSON.parse(line) as { readonly msg: string }).msg) });
  const child = log.child({ controller: 'website' });
  const host = new FakeProcess();
  const stop = switchLevelBySignal(host, log);
  const shown = (): readonly string[] => {
    child.debug('a detail');
    return lines.splice(0);
  };
  const before = shown();
  host.emit('SIGUSR2');
  expect(shown()).toEqual(['the log is written at debug', 'a detail']);
  host.emit('SIGUSR2');
  expect(shown()).toEqual([`the log is written at ${level}`, ...before]);
  stop();
  expect(host.eventNames()).toEqual([]);
});
