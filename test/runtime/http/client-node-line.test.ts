import { installationFor } from '../../../src/runtime/http/client-node-line.js';

test.each(['20.19.0', '20.20.2', '22.18.0'])('nobody on Node %s is sent to a line of client-node that does not load there', (node) => {
  expect(installationFor(node)).toBe(`npm install @kubernetes/client-node@1; version 2 needs Node 22.19 or newer, and this is ${node}`);
});

test.each(['22.19.0', '24.0.0', '26.12.1'])('nobody on Node %s is kept from the newest line', (node) => {
  expect(installationFor(node)).toBe('npm install @kubernetes/client-node');
});
