import { isObject, type JsonObject, type TableConvertor } from '../resources/index.js';

/** Columns of a kind for which nobody has chosen any. Source: apiserver `pkg/registry/rest/table.go`; descriptions: apimachinery's `ObjectMeta`. */
export const defaultTable: TableConvertor = {
  columns: [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description:
        'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
      priority: 0,
    },
    {
      name: 'Created At',
      type: 'date',
      format: '',
      description:
        'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
      priority: 0,
    },
  ],
  cells(object: JsonObject) {
    const metadata = isObject(object['metadata']) ? object['metadata'] : {};
    return [metadata['name'] ?? '', metadata['creationTimestamp'] ?? '0001-01-01T00:00:00Z'];
  },
};
