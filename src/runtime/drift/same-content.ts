import { BOOKKEEPING_FIELDS, equalJson, type KubernetesObject } from '@keelson/kubernetes/apimachinery';

/** Whether two states of an object differ in nothing but their status and the server's bookkeeping. Equal parts that are one in memory cost nothing. */
export function hasSameContent(one: KubernetesObject, other: KubernetesObject): boolean {
  return (
    isSameRecord(one, other, (field) => field === 'status' || field === 'metadata') &&
    isSameRecord(one.metadata, other.metadata, (field) => BOOKKEEPING_FIELDS.has(field))
  );
}

function isSameRecord(one: object, other: object, isLeftOut: (field: string) => boolean): boolean {
  const [ones, others] = [one, other].map(
    (record) => new Map(Object.entries(record).filter(([field, value]) => value !== undefined && !isLeftOut(field))),
  );
  if (ones === undefined || others === undefined || ones.size !== others.size) return false;
  return [...ones].every(([field, value]) => equalJson(value, others.get(field)));
}
