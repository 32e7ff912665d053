import { isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';

/** The text of a field that may be missing. */
export function textIn(value: Json | undefined, field: string): string {
  const found = isJsonObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof found === 'string' ? found : '';
}

/** `Memcached team/sample`, as far as it is known. */
export function describeObject(object: Json | undefined, fallbackName = ''): string {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const name = textIn(metadata, 'name') || fallbackName || (textIn(metadata, 'generateName') && `${textIn(metadata, 'generateName')}*`);
  const namespace = textIn(metadata, 'namespace');
  return [textIn(object, 'kind') || 'an object', namespace === '' ? name : `${namespace}/${name}`].filter((part) => part !== '').join(' ');
}
