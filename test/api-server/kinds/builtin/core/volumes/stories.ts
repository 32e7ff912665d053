import type { Story } from '../../stories/story.js';
import { pod, volume } from '../pods/pod-story.js';

export const podVolumeStories: readonly Story[] = [
  pod('volumes', {
    volumes: [
      { name: 'nothing' },
      { name: 'map', configMap: { name: 'map', items: [{ key: 'a', path: 'b' }] } },
      { name: 'secret', secret: { secretName: 's' } },
      { name: 'host', hostPath: { path: '/var' } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'down', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      { name: 'all', projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'c' } }] } },
      {
        name: 'eph',
        ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
      },
      { name: 'csi', csi: { driver: 'csi.example.com' } },
    ],
  }),
  volume('two sources', { emptyDir: {}, hostPath: { path: '/x' }, configMap: { name: 'x' } }),
  volume('host path that climbs', { hostPath: { path: '/a/../b', type: 'Thing' } }),
  volume('secret without a name', { secret: { defaultMode: 1000 } }),
  volume('config map items', {
    configMap: {
      name: '',
      items: [
        { key: '', path: '/abs' },
        { key: 'a', path: '..b', mode: -1 },
      ],
    },
  }),
  volume('projected clashes', {
    projected: {
      sources: [{ secret: { name: 's', items: [{ key: 'a', path: 'p' }] }, configMap: { name: 'c', items: [{ key: 'a', path: 'p' }] } }],
    },
  }),
  volume('token without a service account', {
    projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 10 } }] },
  }),
  volume('downward fields', {
    downwardAPI: {
      items: [
        { path: 'x' },
        { path: 'y', fieldRef: { fieldPath: 'spec.nodeName' } },
        { path: 'z', resourceFieldRef: { resource: 'limits.cpu' } },
      ],
    },
  }),
  volume('nfs', { nfs: { server: '', path: 'relative' } }),
  volume('gcePersistentDisk', { gcePersistentDisk: { pdName: '' } }),
  volume('image volumes are off', { image: { reference: 'x' } }),
  volume('ephemeral claim', {
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { name: 'x', labels: { 'a b': 'c' } },
        spec: { accessModes: ['Sometimes'], resources: { requests: { storage: '-1' } } },
      },
    },
  }),
  pod('volume names', {
    volumes: [
      { name: 'Bad', emptyDir: {} },
      { name: '', emptyDir: {} },
      { name: 'a', emptyDir: {} },
      { name: 'a', emptyDir: { sizeLimit: '-1' } },
    ],
  }),
  volume('paths of items', {
    configMap: { name: 'c', items: ['/a', 'a/../b', '..', '../a', '..a', '...', ''].map((path) => ({ key: 'k', path })) },
  }),
];
