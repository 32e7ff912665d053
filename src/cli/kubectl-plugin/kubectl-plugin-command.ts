import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DNS_1123_LABEL, DNS_1123_SUBDOMAIN, obeys } from '@keelson/kubernetes/apimachinery';
import { UsageError } from '../errors.js';
import { writeNewFiles } from '../scaffold/index.js';
import type { Terminal } from '../terminal.js';
import { KUBECTL_PLUGIN } from '../usage/index.js';
import { pluginScript, pluginWords } from './plugin-script.js';

/** `keelson kubectl-plugin`. */
export async function runKubectlPlugin(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: KUBECTL_PLUGIN.options, allowPositionals: true });
  const [name, ...more] = positionals;
  if (name === undefined)
    throw new UsageError(
      'keelson kubectl-plugin: NAME is not given; for example: keelson kubectl-plugin memcached --resource memcacheds.cache.example.com',
    );
  if (more.length > 0) throw new UsageError(`keelson kubectl-plugin: one NAME is expected, got ${positionals.join(' ')}`);
  // Everything goes into a script: a name with a quote in it would be a command there.
  if (!obeys(DNS_1123_LABEL, name)) throw new UsageError(`keelson kubectl-plugin ${name}: must be ${DNS_1123_LABEL.says}`);
  const resource = resourceOf(values.resource);
  const group = resource.slice(resource.indexOf('.') + 1);
  const { prefix = group } = values;
  if (!obeys(DNS_1123_SUBDOMAIN, prefix))
    throw new UsageError(`keelson kubectl-plugin: --prefix ${prefix}: must be ${DNS_1123_SUBDOMAIN.says}`);
  const operator = operatorOf(values.operator);
  const path = `kubectl-${name}`;
  await writeNewFiles(terminal.directory, [{ path, text: pluginScript({ name, resource, prefix, operator }) }], '.');
  await chmod(join(terminal.directory, path), 0o755);
  terminal.out(`${path}\n\nMove it to a folder of the PATH, then: kubectl ${pluginWords(name)} --help\n`);
}

function operatorOf(operator: string | undefined): string | undefined {
  if (operator === undefined) return undefined;
  const [namespace = '', name = '', ...more] = operator.split('/');
  if (obeys(DNS_1123_LABEL, namespace) && obeys(DNS_1123_SUBDOMAIN, name) && more.length === 0) return operator;
  throw new UsageError(`keelson kubectl-plugin: --operator ${operator}: is not NAMESPACE/NAME of a Deployment`);
}

function resourceOf(resource: string | undefined): string {
  if (resource === undefined)
    throw new UsageError(
      'keelson kubectl-plugin: --resource is not given; name it with its group, for example memcacheds.cache.example.com',
    );
  if (resource.includes('.') && obeys(DNS_1123_SUBDOMAIN, resource)) return resource;
  throw new UsageError(`keelson kubectl-plugin: --resource ${resource}: is not PLURAL.GROUP, for example memcacheds.cache.example.com`);
}
