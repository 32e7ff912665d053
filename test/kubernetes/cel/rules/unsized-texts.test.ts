import { unsizedTexts } from '../../../../src/kubernetes/cel/index.js';
import { bounded, costSchema, endless, reading, sparing } from '../judged-costs.js';

const findings = (rule: string) => unsizedTexts({ rule }, costSchema);

test.each(endless)('%s is too long for what is charged by length, and for nothing else', (made) => {
  for (const read of reading) expect([read(made), findings(read(made)).length]).toEqual([read(made), 1]);
  for (const read of sparing) expect([read(made), findings(read(made))]).toEqual([read(made), []]);
});

test.each(bounded)('%s is not', (made) => {
  for (const read of [...reading, ...sparing]) expect([read(made), findings(read(made))]).toEqual([read(made), []]);
});

test('messages are looked at too, and the place is told', () => {
  const rule = { rule: 'self.i > 1', messageExpression: "'is ' + string(self.i)" };
  expect(unsizedTexts(rule, costSchema)).toEqual([{ field: 'messageExpression', maker: 'string', reader: '+' }]);
});

test('what does not compile is left to those who say why', () => {
  expect(findings("string(self.none) + 'a' == 'b'")).toEqual([]);
  expect(findings('string(self.i +')).toEqual([]);
});
