import { Verified } from '../../../src/runtime/children/verified.js';
import { liveConfig } from './shop.js';

const child = (hash: string) => ({ hash, content: liveConfig(hash) });

test('what is remembered of a child is that of its owner, and goes alone', () => {
  const verified = new Verified();
  const [one, two, other] = [child('1'), child('2'), child('3')];
  verified.set('w', 'a', one);
  verified.set('w', 'b', two);
  verified.set('v', 'a', other);
  expect([verified.get('w', 'a'), verified.get('w', 'b'), verified.get('v', 'a'), verified.get('v', 'b')]).toEqual([
    one,
    two,
    other,
    undefined,
  ]);
  verified.remove('w', 'a');
  verified.remove('w', 'unknown');
  verified.remove('unknown', 'a');
  expect([verified.get('w', 'a'), verified.get('w', 'b'), verified.get('v', 'a')]).toEqual([undefined, two, other]);
  verified.remove('w', 'b');
  expect([verified.get('w', 'b'), verified.get('v', 'a')]).toEqual([undefined, other]);
});

test('an owner that is forgotten leaves nothing, and takes nothing of another with it', () => {
  const verified = new Verified();
  verified.set('w', 'a', child('1'));
  verified.set('v', 'a', child('2'));
  verified.forget('w');
  expect([verified.get('w', 'a'), verified.get('v', 'a')?.hash]).toEqual([undefined, '2']);
});
