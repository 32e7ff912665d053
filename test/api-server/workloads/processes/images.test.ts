import { findByImage } from '../../../../src/api-server/workloads/processes/images.js';

test.each([
  ['quay.io/coreos/etcd:v3.5', 'exact'],
  ['quay.io/coreos/etcd:v3.6', 'etcd'],
  ['quay.io/other', 'quay'],
  ['docker.io/etcd', undefined],
  ['a--b', undefined],
  ['a-x-b', 'twice'],
])('the image %s has the program of the longest pattern', (image, expected) => {
  const entries = new Map([
    ['quay.io/*', 'quay'],
    ['quay.io/coreos/etcd:*', 'etcd'],
    ['quay.io/coreos/etcd:v3.5', 'exact'],
    ['a-*x*-b', 'twice'],
  ]);
  expect(findByImage(entries, image)).toBe(expected);
});
