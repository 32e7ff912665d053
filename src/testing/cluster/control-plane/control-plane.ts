import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerCertificates } from '../../../api-server/access/index.js';
import { kubeconfigText } from '../../../api-server/server/index.js';
import { findAssets } from './assets.js';
import { Component, ComponentError } from './component.js';
import { writeCredentials } from './credentials.js';
import { freePorts } from './free-ports.js';
import { Guardian } from './guardian.js';
import { auditFileOf, controllerManager, etcd, kubeApiServer, type Site, urlOf } from './parts.js';

export interface ControlPlaneOptions {
  readonly mode?: 'cluster' | 'envtest';
  readonly binaries?: string;
  readonly apiServerFlags?: readonly string[];
}

const PORT_ATTEMPTS = 3;

/** Real binaries on free ports of the loopback interface. */
export class ControlPlane {
  readonly url: string;
  readonly certificates: ServerCertificates;
  readonly auditFile: string;
  readonly #guardian: Guardian;
  readonly #components: readonly Component[];

  private constructor(site: Site, guardian: Guardian, components: readonly Component[]) {
    this.url = urlOf(site);
    this.certificates = site.credentials.certificates;
    this.auditFile = auditFileOf(site);
    this.#guardian = guardian;
    this.#components = components;
  }

  /**
   * Guarantees: when it resolves, requests are served; when this process ends, in whatever way, so do the others, and their data is removed.
   * @throws TestClusterError for binaries that are not there, and for a process that does not start, with the end of its log
   */
  static async start(options: ControlPlaneOptions): Promise<ControlPlane> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ControlPlane.#startOnce(options);
      } catch (error) {
        // The ports were free when we looked.
        if (attempt === PORT_ATTEMPTS || !(error instanceof ComponentError) || !error.isPortTaken) throw error;
      }
    }
  }

  static async #startOnce(options: ControlPlaneOptions): Promise<ControlPlane> {
    const commands = findAssets(['etcd', 'kube-apiserver'], options);
    const manager = options.mode === 'cluster' ? findAssets(['kube-controller-manager'], options) : undefined;
    const directory = mkdtempSync(join(tmpdir(), 'keelson-cluster-'));
    const guardian = new Guardian(directory);
    try {
      const site = await siteIn(directory);
      const server = { command: commands['kube-apiserver'], hasControllers: manager !== undefined, flags: options.apiServerFlags ?? [] };
      const parts = [
        etcd(site, commands.etcd),
        kubeApiServer(site, server),
        ...(manager === undefined
          ? []
          : [controllerManager(site, { command: manager['kube-controller-manager'], kubeconfig: managerConfig(site) })]),
      ];
      const components = parts.map((part) => new Component(part, guardian));
      for (const component of components) await component.start();
      return new ControlPlane(site, guardian, components);
    } catch (error) {
      await guardian.finish();
      throw error;
    }
  }

  /** Ends the processes, and removes their data. May be called again. */
  async stop(): Promise<void> {
    for (const component of this.#components.toReversed()) await component.kill();
    await this.#guardian.finish();
  }
}

async function siteIn(directory: string): Promise<Site> {
  const [etcdClient = 0, etcdPeer = 0, apiServer = 0, manager = 0] = await freePorts(4);
  return { directory, ports: { etcdClient, etcdPeer, apiServer, controllerManager: manager }, credentials: writeCredentials(directory) };
}

function managerConfig(site: Site): string {
  const { certificates } = site.credentials;
  const username = 'system:kube-controller-manager';
  const file = join(site.directory, 'controller-manager.kubeconfig');
  const text = kubeconfigText({
    url: urlOf(site),
    certificateAuthority: certificates.authority,
    username,
    credentials: certificates.issueClient({ username }),
  });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
