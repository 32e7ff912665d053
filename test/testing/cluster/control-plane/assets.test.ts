import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KUBERNETES_MINOR } from '../../../../src/kubernetes/kinds/index.js';
import { findAssets } from '../../../../src/testing/cluster/control-plane/assets.js';
import { newestOfStore } from '../../../../src/testing/cluster/control-plane/envtest-store.js';

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
      `Get them with \`setup-envtest use ${KUBERNETES_MINOR}.x\`, which`,
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

describe('what setup-envtest has downloaded', () => {
  const store = (...versions: readonly string[]): void => {
    for (const version of versions) mkdirSync(join(folder, 'kubebuilder-envtest', 'k8s', version), { recursive: true });
  };
  const machine = () => ({ environment: { XDG_DATA_HOME: folder }, platform: 'linux', arch: 'x64' });

  test('is the newest patch of the minor that keelson is made for, and else the newest of all', () => {
    store('1.9.3-linux-amd64', '1.30.2-linux-amd64', '99.0.0-linux-arm64', '99.0.0-darwin-amd64', 'latest-linux-amd64');
    expect(newestOfStore(machine())).toBe(join(folder, 'kubebuilder-envtest', 'k8s', '1.30.2-linux-amd64'));
    store(`${KUBERNETES_MINOR}.9-linux-amd64`, `${KUBERNETES_MINOR}.10-linux-amd64`, '99.0.0-linux-amd64');
    expect(newestOfStore(machine())).toBe(join(folder, 'kubebuilder-envtest', 'k8s', `${KUBERNETES_MINOR}.10-linux-amd64`));
  });

  test('lies where setup-envtest puts it on each system', () => {
    const at = (platform: string, environment: Record<string, string>): string | undefined =>
      newestOfStore({ environment, platform, arch: 'x64' });
    mkdirSync(join(folder, 'Library/Application Support/io.kubebuilder.envtest/k8s/1.30.2-darwin-amd64'), { recursive: true });
    mkdirSync(join(folder, 'AppData/Local/kubebuilder-envtest/k8s/1.30.2-windows-amd64'), { recursive: true });
    mkdirSync(join(folder, '.local/share/kubebuilder-envtest/k8s/1.30.2-linux-amd64'), { recursive: true });
    expect(at('darwin', { HOME: folder })).toContain('1.30.2-darwin-amd64');
    expect(at('win32', { HOME: folder })).toContain('1.30.2-windows-amd64');
    expect(at('win32', { LocalAppData: join(folder, 'AppData/Local') })).toContain('1.30.2-windows-amd64');
    expect(at('linux', { HOME: folder })).toContain('1.30.2-linux-amd64');
    expect(at('linux', { XDG_DATA_HOME: join(folder, 'nowhere') })).toBeUndefined();
  });

  test('is used where no variable names a place', () => {
    const version = `1.30.2-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const target = join(folder, 'kubebuilder-envtest', 'k8s', version);
    store(version);
    writeFileSync(join(target, 'my-own'), '', { mode: 0o755 });
    expect(findAssets(['my-own' as 'etcd'], { environment: { XDG_DATA_HOME: folder } })).toEqual({ 'my-own': join(target, 'my-own') });
  });
});
