import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerCertificates } from '@keelson/api-server/internal/access';
import { kubeconfigText } from '@keelson/api-server/internal/server';
import { AUDIT_POLICY } from '../../request-log/index.js';
import { findAssets } from './assets.js';
import { Component, ComponentError, type ComponentOptions } from './component.js';
import { type Credentials, writeCredentials } from './credentials.js';
import { releasePorts } from './free-ports.js';
import { Guardian } from './guardian.js';
import { auditFileOf, controllerManager, etcd, freeSite, kubeApiServer, type Site, urlOf } from './parts.js';
import type { Asker } from './status-of.js';

export interface ControlPlaneOptions {
  readonly mode?: 'cluster' | 'envtest';
  readonly binaries?: string;
  readonly apiServerFlags?: readonly string[];
}

interface RunningParts {
  readonly site: Site;
  readonly credentials: Credentials;
  readonly guardian: Guardian;
  readonly components: readonly Component[];
}

/** Paths of the binaries. */
type Programs = Readonly<Record<'etcd' | 'kube-apiserver', string> & Partial<Record<'kube-controller-manager', string>>>;

const PORT_ATTEMPTS = 3;

/** Real binaries on free ports of the loopback interface. */
export class ControlPlane {
  readonly url: string;
  readonly certificates: ServerCertificates;
  readonly auditFile: string;
  readonly #site: Site;
  readonly #guardian: Guardian;
  readonly #components: readonly Component[];

  private constructor({ site, credentials, guardian, components }: RunningParts) {
    this.url = urlOf(site);
    this.certificates = credentials.certificates;
    this.auditFile = auditFileOf(site);
    this.#site = site;
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
        // The ports were free when we looked. They stay held: the next attempt comes upon others.
        if (attempt === PORT_ATTEMPTS || !(error instanceof ComponentError) || !error.isPortTaken) throw error;
      }
    }
  }

  static async #startOnce(options: ControlPlaneOptions): Promise<ControlPlane> {
    const programs: Programs = {
      ...findAssets(['etcd', 'kube-apiserver'], options),
      ...(options.mode === 'cluster' ? findAssets(['kube-controller-manager'], options) : {}),
    };
    const directory = mkdtempSync(join(tmpdir(), 'keelson-cluster-'));
    const guardian = new Guardian(directory);
    try {
      const site = await freeSite(directory);
      const credentials = writeCredentials(directory);
      const parts = partsOf({ site, credentials, programs, flags: options.apiServerFlags ?? [] });
      const components = parts.map((part) => new Component(part, guardian));
      for (const component of components) await component.start();
      return new ControlPlane({ site, credentials, guardian, components });
    } catch (error) {
      await guardian.finish();
      throw error;
    }
  }

  /** Ends the processes, and removes their data. May be called again. */
  async stop(): Promise<void> {
    for (const component of this.#components.toReversed()) await component.kill();
    await this.#guardian.finish();
    releasePorts(Object.values(this.#site.ports));
  }
}

interface PartsRequest {
  readonly site: Site;
  readonly credentials: Credentials;
  readonly programs: Programs;
  readonly flags: readonly string[];
}

function partsOf({ site, credentials, programs, flags }: PartsRequest): readonly ComponentOptions[] {
  const { serviceAccountKeyFile, authorityFile, certificateFile, keyFile } = credentials;
  const serving = [`--tls-cert-file=${certificateFile}`, `--tls-private-key-file=${keyFile}`];
  const common = { serviceAccountKeyFile, asker: () => administrator(credentials) };
  const manager = programs['kube-controller-manager'];
  const server = kubeApiServer(site, {
    ...common,
    command: programs['kube-apiserver'],
    hasControllers: manager !== undefined,
    auditPolicy: AUDIT_POLICY,
    flags: [...serving, `--cert-dir=${site.directory}`, `--client-ca-file=${authorityFile}`, '--allow-privileged=true', ...flags],
  });
  const parts = [etcd(site, programs.etcd), server];
  if (manager === undefined) return parts;
  const kubeconfig = managerConfig(site, credentials);
  return [...parts, controllerManager(site, { ...common, command: manager, kubeconfig, authorityFile, flags: serving })];
}

function administrator({ certificates }: Credentials): Asker {
  const { certificate, privateKey } = certificates.issueClient({ username: 'keelson-probe', groups: ['system:masters'] });
  return { ca: certificates.authority, cert: certificate, key: privateKey };
}

function managerConfig(site: Site, { certificates }: Credentials): string {
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
