import { conditionMeaning } from '../../../../src/cli/dev/page/condition-meaning.js';

test.each([
  ['Ready=True Reconciled', 'good'],
  ['Ready=False NoPods', 'bad'],
  ['Ready=Unknown', 'waiting'],
  ['BackupsReady=True', 'good'],
  ['NotReady=True', 'none'],
  ['Reconciling=True Waiting', 'waiting'],
  ['Reconciling=True ReconcileFailed', 'bad'],
  ['Reconciling=True FinalizeFailed', 'bad'],
  ['Stalled=True TerminalError', 'bad'],
  ['Stalled=False', 'none'],
  ['Progressing=False ProgressDeadlineExceeded', 'bad'],
  ['ReplicaFailure=True', 'bad'],
  ['MemoryPressure=False', 'none'],
  ['MemoryPressure=True', 'bad'],
  ['DatabaseChosen=True', 'none'],
  ['DatabaseChosen=False', 'none'],
])('a condition has the colour of its meaning, not of its status: %s is %s', (text, meaning) => {
  const [, type = '', status = '', reason = ''] = /^(\w+)=(\w+) ?(.*)$/.exec(text) ?? [];
  expect(conditionMeaning({ type, status, reason })).toBe(meaning);
});
