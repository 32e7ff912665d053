import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from '../../images/index.js';
import { containerdClient, runInNode } from './in-node.js';
import type { Site } from './site.js';

/** The images of containerd, which are kept from cluster to cluster: what has not changed is not imported again. */
export class ImageStore {
  readonly #site: Site;
  readonly #initPid: number;

  constructor(site: Site, initPid: number) {
    this.#site = site;
    this.#initPid = initPid;
    mkdirSync(this.#markers, { recursive: true });
  }

  /** Whether an earlier cluster has used it: its containers were never deleted, since their end was a kill. */
  get hasContainers(): boolean {
    return existsSync(join(this.#site.imageStore, 'io.containerd.metadata.v1.bolt'));
  }

  /** While containerd runs without its CRI plugin, which would take up the containers of an earlier cluster. */
  async removeContainers(): Promise<void> {
    const run = (...parameters: readonly string[]): Promise<string> => runInNode(this.#initPid, containerdClient(...parameters));
    const containers = (await run('containers', 'list', '--quiet')).split('\n').filter((line) => line !== '');
    if (containers.length > 0) await run('containers', 'delete', ...containers);
    rmSync(join(this.#site.imageStore, 'io.containerd.grpc.v1.cri'), { recursive: true, force: true });
  }

  /** Imports an image unless it is there. */
  async add(image: Image): Promise<void> {
    const marker = join(this.#markers, encodeURIComponent(image.name));
    if (existsSync(marker) && readFileSync(marker, 'utf8') === image.id) return;
    const file = join(this.#site.directory, 'image.tar');
    writeFileSync(file, image.archive);
    await runInNode(this.#initPid, containerdClient('images', 'import', file));
    rmSync(file);
    writeFileSync(marker, image.id);
  }

  get #markers(): string {
    return join(this.#site.imageStore, '.imported');
  }
}
