import { Script } from 'node:vm';
import { MARKUP, SCRIPT, STYLE } from '../../../../../src/cli/dev/page/assets/index.js';

test('the texts are what a strict policy lets run: no markup from texts, no code from texts, nothing from elsewhere', () => {
  expect(() => new Script(SCRIPT)).not.toThrow();
  expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/);
  expect(MARKUP).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  expect(`${MARKUP}${SCRIPT}${STYLE}`).not.toMatch(/https?:|url\(|@import|import\(/);
});
