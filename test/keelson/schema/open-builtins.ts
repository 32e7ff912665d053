import { z } from 'zod';
import { customResourceDefinitionManifest, defineCustomResource } from '../../../src/keelson/definition/index.js';
import { k } from '../../../src/keelson/schema/index.js';

/** An operator that no version has: it stands for one that a later version adds. */
export const FUTURE_TEMPLATE = { spec: { containers: [{ name: 'a' }], tolerations: [{ key: 'speed', operator: 'Near', value: '5' }] } };

/** A field that no version has: it stands for one that a later version adds. */
export const FUTURE_FIELD = { spec: { containers: [{ name: 'a' }], laterField: 'x' } };

const GROUP = 'open.example.com';

export const openDefinition: object = customResourceDefinitionManifest(
  defineCustomResource({
    group: GROUP,
    kind: 'OpenSet',
    versions: { v1: { spec: z.object({ template: k.builtin('PodTemplateSpec', { open: true }) }) } },
  }),
);
export const closedDefinition: object = customResourceDefinitionManifest(
  defineCustomResource({
    group: GROUP,
    kind: 'ClosedSet',
    versions: { v1: { spec: z.object({ template: k.builtin('PodTemplateSpec') }) } },
  }),
);

export function holder(kind: 'OpenSet' | 'ClosedSet', template: object): { path: string; object: object } {
  return {
    path: `/apis/${GROUP}/v1/namespaces/default/${kind.toLowerCase()}s`,
    object: { apiVersion: `${GROUP}/v1`, kind, metadata: { name: 'one' }, spec: { template } },
  };
}

/** What a server must answer, whichever it is: the value passes where the type is open, the field never does. */
export const EXPECTED = {
  open: { status: 201, kept: { operator: 'Near' } },
  closedMessage: 'Unsupported value: "Near": supported values: "Equal", "Exists", "Gt", "Lt"',
  fieldMessage: 'strict decoding error: unknown field "spec.template.spec.laterField"',
};
