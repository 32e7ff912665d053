import { execFileSync } from 'node:child_process';
import { shellWord } from '../../../src/kubernetes/apimachinery/index.js';

test('a shell reads back what was quoted for it', () => {
  const texts = ['', 'a', 'two words', "it's", '$HOME', '`id`', '~/a', '*', 'a;b', 'a\nb', '\\', '"', 'größer…', '#', '!1', "'", '{a,b}'];
  const read = execFileSync('sh', ['-c', `printf '%s\\0' ${texts.map(shellWord).join(' ')}`], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual(texts);
});

test.each(['dev.kubeconfig', '/tmp/a-b/c_d.yaml', 'website:1234', 'a=b', 'user@host', '50%', '+1'])('%s needs no quotes', (text) => {
  expect(shellWord(text)).toBe(text);
});
