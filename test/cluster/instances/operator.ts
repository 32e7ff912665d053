import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

export const Tenant = defineCustomResource({
  group: 'hosting.example.com',
  kind: 'Tenant',
  versions: {
    v1: {
      spec: z.object({ className: z.string().default('none'), notes: z.array(z.string()).default([]) }),
      status: z.object({ notes: k.int32().optional(), conditions: k.conditions() }),
      selectableFields: ['.spec.className'],
    },
  },
});

/** Tenants that were cleaned up outside of the cluster, each with the instances that held it. */
export const forgotten: string[] = [];

const tenants = defineController({
  name: 'tenants',
  for: Tenant,
  owns: { configs: ConfigMap },
  reconcile({ object, done }) {
    const { name } = object.metadata;
    const { notes } = object.spec;
    const data = Object.fromEntries(notes.map((note) => [note, 'noted']));
    return done({ owned: { configs: [ConfigMap({ metadata: { name }, data })] }, status: { notes: notes.length } });
  },
  finalize({ object: { metadata } }) {
    forgotten.push(`${metadata.name} by ${metadata.finalizers?.map((finalizer) => finalizer.replace(/^.*_/, '')).join(' and ')}`);
  },
});

export const operator = defineOperator({ name: 'tenant-operator', controllers: [tenants] });
