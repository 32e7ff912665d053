import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from '../commands.js';
import { TestFolder } from '../test-folder.js';

const RECORDINGS = '../shared/data/replays/k8s-openapi-tests/test-replays';
const folder = new TestFolder('validate');

interface Exchange {
  readonly request_url: string;
  readonly request_method: string;
  readonly request_body: string | null;
  readonly response_status_code: number;
}

/** What a real server was asked to create. */
function createdIn(version: string): readonly (Exchange & { readonly request_body: string })[] {
  const exchanges = JSON.parse(
    readFileSync(join(RECORDINGS, version, 'custom_resource_definition-test.json'), 'utf8'),
  ) as readonly Exchange[];
  return exchanges.flatMap((exchange) =>
    exchange.request_method === 'POST' && exchange.request_body !== null ? [{ ...exchange, request_body: exchange.request_body }] : [],
  );
}

describe.each(readdirSync(RECORDINGS))('recorded of Kubernetes %s', (version) => {
  test('no verdict differs from that of the real server', async () => {
    const [definition, ...objects] = createdIn(version);
    folder.put('crd.json', definition?.request_body ?? '');
    expect(objects.length).toBeGreaterThan(0);
    for (const { request_body: body, response_status_code: code } of objects) {
      const { status } = await runIn(folder.path, ['validate', '--crds', 'crd.json', '-'], { readInput: async () => body });
      expect({ body, status }).toEqual({ body, status: code < 300 ? 0 : 1 });
    }
  });
});
