import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAssets } from '../../../../src/testing/cluster/control-plane/assets.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keelson-assets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const binary = (name: string): string => {
  const path = join(folder, name);
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  return path;
};

test('the option goes before the variable of a binary, and that before the folder of all', () => {
  const [etcd, other] = [binary('etcd'), binary('my-etcd')];
  const environment = { TEST_ASSET_ETCD: other, KUBEBUILDER_ASSETS: '/nowhere' };
  expect(findAssets(['etcd'], { environment })).toEqual({ etcd: other });
  expect(findAssets(['etcd'], { environment, binaries: folder })).toEqual({ etcd });
  expect(findAssets(['etcd'], { environment: { KUBEBUILDER_ASSETS: folder } })).toEqual({ etcd });
});

test('each binary that is not there is named with the place, the setting and the way to get it', () => {
  binary('etcd');
  expect(() => findAssets(['etcd', 'kube-apiserver', 'kube-controller-manager'], { environment: { KUBEBUILDER_ASSETS: folder } })).toThrow(
    [
      "server 'kube-apiserver': binaries are missing:",
      `  kube-apiserver: no executable ${folder}/kube-apiserver (KUBEBUILDER_ASSETS)`,
      `  kube-controller-manager: no executable ${folder}/kube-controller-manager (KUBEBUILDER_ASSETS)`,
      'Get them with `go run sigs.k8s.io/controller-runtime/tools/setup-envtest@latest use',
    ].join('\n'),
  );
});

test('a file that may not be executed is not a binary', () => {
  writeFileSync(join(folder, 'etcd'), '', { mode: 0o644 });
  expect(() => findAssets(['etcd'], { binaries: folder })).toThrow(`no executable ${folder}/etcd (the option binaries)`);
});

test("without the controller manager alone the advice is the mode 'envtest'", () => {
  expect(() => findAssets(['kube-controller-manager'], { binaries: folder })).toThrow("or take mode: 'envtest'");
});
