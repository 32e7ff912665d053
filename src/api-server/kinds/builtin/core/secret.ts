import { type FieldError, invalid, required, tooLong } from '@keelson/kubernetes/apimachinery';
import { BodyProblem, parseJson } from '../../../values/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, immutable, those } from '../checks/index.js';
import type { Secret } from '../drafts.js';
import { fieldLabels } from '../field-labels.js';
import { bytesOf, frozenDataErrors, keyErrors, MAX_DATA_BYTES, sumOf } from './config-map.js';
import { keyPairProblem } from './key-pair.js';

/** Source: kubernetes `pkg/registry/core/secret`, `pkg/apis/core/{v1,validation}`. */
export const secrets: Behaviour<Secret> = {
  setDefaults(secret) {
    secret.type ||= 'Opaque';
    takeOverTexts(secret);
  },
  validate: secretErrors,
  warningsOnCreate: keyPairWarnings,
  validateUpdate: (secret, old) => [
    ...immutable(secret.type, old.type, 'type'),
    ...frozenDataErrors(secret, old, ['data']),
    ...secretErrors(secret),
  ],
  warningsOnUpdate: keyPairWarnings,
  revalidatesMetadata: true,
  fieldLabels: fieldLabels(['type']),
};

/** `stringData` is a way of writing `data`, and is never read. */
function takeOverTexts(secret: Secret): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text, 'utf8').toString('base64')] as const);
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
  delete secret.stringData;
}

function secretErrors(secret: Secret): Errors {
  const { data = {} } = secret;
  return those(
    Object.keys(data).flatMap((key) => keyErrors(key, 'data')),
    sumOf(Object.values(data).map(bytesOf)) > MAX_DATA_BYTES && tooLong('data', MAX_DATA_BYTES),
    typeErrors(secret, data),
  );
}

/** Each type has keys that its readers count on. */
function typeErrors({ type, metadata }: Secret, data: Readonly<Record<string, string>>): Errors {
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case 'kubernetes.io/service-account-token': {
      const name = 'kubernetes.io/service-account.name';
      return metadata.annotations?.[name] ? [] : [required(`metadata.annotations[${name}]`)];
    }
    case 'kubernetes.io/dockercfg':
      return jsonErrors(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return jsonErrors(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth': {
      const both = missing('username', 'password');
      return both.length === 2 ? both : [];
    }
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function jsonErrors(data: Readonly<Record<string, string>>, key: string): Errors {
  const encoded = data[key];
  if (encoded === undefined) return [required(`data[${key}]`)];
  const problem = jsonObjectProblem(Buffer.from(encoded, 'base64'));
  return problem === undefined ? [] : [invalid(`data[${key}]`, '<secret contents redacted>', problem)];
}

function jsonObjectProblem(bytes: Uint8Array): string | undefined {
  try {
    const { value } = parseJson(bytes);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    const found = Array.isArray(value) ? 'array' : value === true || value === false ? 'bool' : typeof value;
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (!BodyProblem.isBodyProblem(error)) throw error;
    return error.message;
  }
}

function keyPairWarnings({ type, data = {} }: Secret): readonly string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const problem = keyPairProblem(decoded(data['tls.crt']), decoded(data['tls.key']));
  return problem === undefined ? [] : [problem];
}

function decoded(value = ''): string {
  return Buffer.from(value, 'base64').toString('latin1');
}
