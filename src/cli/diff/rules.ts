/** The weight of a change. A `breaking` change fails clients or loses data. A person has to look at one for `review`. One for `info` is harmless. */
export type Level = 'breaking' | 'info' | 'review';

export interface Rule {
  readonly level: Level;
  /** The effect on users of the old release. */
  readonly why: string;
  /** Its names in crdify, kro and crd-schema-checker (csc). */
  readonly known?: readonly string[];
}

const STORED = 'The API server removes fields that a schema lacks: stored objects lose their values with their next write.';
const OLD_OBJECTS = 'Manifests and stored objects that were valid may be refused.';
const OWNERS = 'Server-side apply merges the field in another way: fields of other managers are kept or lost that were not before.';

/** By id, as findings and `keelson.allow.yaml` name them. */
export const RULES = {
  'field-removed': { level: 'breaking', why: STORED, known: ['crdify existingFieldRemoval', 'kro PROPERTY_REMOVED', 'csc NoFieldRemoval'] },
  'field-added': { level: 'info', why: 'Clients of the release before do not know the field.', known: ['kro PROPERTY_ADDED'] },
  'type-changed': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify type', 'kro TYPE_CHANGED', 'csc NoDataTypeChange'] },
  'required-added': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify required', 'kro REQUIRED_ADDED', 'csc NoNewRequiredFields'] },
  'required-removed': { level: 'info', why: 'Readers may meet objects without the field.', known: ['kro REQUIRED_REMOVED'] },
  'default-changed': {
    level: 'review',
    why: 'Objects that do not set the field get another value, and their children may change.',
    known: ['crdify default', 'kro DEFAULT_CHANGED'],
  },
  'enum-narrowed': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify enum', 'kro ENUM_RESTRICTED', 'csc NoEnumRemoval'] },
  'enum-widened': { level: 'info', why: 'Readers may meet a value that they do not know.', known: ['crdify enum', 'kro ENUM_EXPANDED'] },
  'bound-narrowed': {
    level: 'breaking',
    why: OLD_OBJECTS,
    known: ['crdify maximum', 'crdify minimum', 'crdify maxLength', 'crdify minLength', 'crdify maxItems', 'crdify minItems'],
  },
  'bound-widened': { level: 'info', why: 'Readers may meet a value that was not possible before.' },
  'pattern-changed': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify pattern', 'kro PATTERN_CHANGED'] },
  'pattern-removed': { level: 'info', why: 'Readers may meet a value that was not possible before.', known: ['kro PATTERN_REMOVED'] },
  'format-changed': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify format'] },
  'nullable-removed': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify nullable'] },
  'nullable-added': { level: 'info', why: 'Readers may meet null.', known: ['crdify nullable'] },
  'rule-added': { level: 'breaking', why: OLD_OBJECTS, known: ['crdify x-kubernetes-validations'] },
  'rule-removed': { level: 'info', why: 'Objects are possible that the rule refused.' },
  'immutable-added': { level: 'breaking', why: 'Clients that change the field are refused.' },
  'list-type-changed': { level: 'breaking', why: OWNERS },
  'map-type-changed': { level: 'breaking', why: OWNERS },
  'unknown-fields-dropped': { level: 'breaking', why: STORED },
  'junctor-changed': { level: 'review', why: 'allOf, anyOf, oneOf or not differ: whether old objects fit has to be looked at.' },
  'description-changed': { level: 'info', why: 'Texts for people differ.', known: ['crdify description', 'kro DESCRIPTION_CHANGED'] },
  'scope-changed': {
    level: 'breaking',
    why: 'The API server refuses the change: the CRD must be deleted first, and all objects with it.',
    known: ['crdify scope'],
  },
  'names-changed': { level: 'breaking', why: 'Clients name the kind by its group, plural and kind.' },
  'short-names-changed': { level: 'info', why: 'People type other names.' },
  'version-removed': {
    level: 'breaking',
    why: 'Clients of the version fail. If objects are stored in it, the API server refuses the change until they are migrated.',
    known: ['crdify storedVersionRemoval'],
  },
  'version-unserved': { level: 'breaking', why: 'Clients of the version fail.', known: ['crdify servedVersionRemoval'] },
  'version-added': { level: 'info', why: 'Clients can use a new version.' },
  'version-deprecated': { level: 'info', why: 'Clients of the version get a warning.' },
  'storage-changed': {
    level: 'review',
    why: 'Stored objects stay in the old version until they are written again: it must be converted until then.',
  },
  'conversion-changed': { level: 'review', why: 'Versions are converted in another way.' },
  'subresource-removed': {
    level: 'breaking',
    why: 'Requests to the subresource fail, and without a status subresource the status is a part of the object.',
  },
  'scale-changed': { level: 'breaking', why: 'kubectl scale and autoscalers read and write other fields.' },
  'column-removed': { level: 'info', why: 'kubectl get shows less.' },
  'selectable-field-removed': { level: 'breaking', why: 'Lists and watches that select by the field fail.' },
  'right-added': { level: 'review', why: 'The operator may do more.' },
  'right-removed': { level: 'info', why: 'The operator may do less.' },
  'webhook-widened': { level: 'review', why: 'More requests depend on the operator.' },
  'webhook-removed': { level: 'review', why: 'Requests are no longer checked or changed.' },
  'selector-changed': { level: 'breaking', why: 'The API server refuses the change: the Deployment must be deleted first.' },
  'service-port-changed': { level: 'breaking', why: 'Callers of the Service use the old port.' },
  'lease-changed': { level: 'breaking', why: 'During the rollout, the old process and the new one lead at the same time.' },
  'object-removed': { level: 'review', why: 'kubectl apply leaves the object on the cluster; a GitOps tool that prunes deletes it.' },
  'object-added': { level: 'info', why: 'The release installs a new object.' },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleId = keyof typeof RULES;
