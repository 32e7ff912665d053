import { etcdCases } from '../../examples/etcd/client/client-cases.js';
import { findBinaries } from '../../scripts/cluster/binaries.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { EtcdProcesses, type EtcdPrograms } from './examples-etcd/etcd-processes.js';

type Search = { readonly found: true; readonly path: string } | { readonly found: false; readonly reason: string };

function newest(): Search {
  const search = findBinaries();
  if (!search.found) return search;
  return { found: true, path: search.binaries.paths.etcd ?? '' };
}

/** The cases that the fake is held to as well, on real members. */
function suite(version: string, etcd: Search): void {
  const etcdutl = findTool('etcdutl');
  const missing = [etcd, etcdutl].find(({ found }) => !found);
  if (missing !== undefined && !missing.found && process.env['CI']) throw new Error(missing.reason);
  const title = `The client of the etcd example with etcd ${version}`;
  const declare = missing === undefined || missing.found ? describe : describe.skip;
  declare(missing === undefined || missing.found ? title : `${title} [skipped: ${missing.reason}]`, () => {
    let rig: EtcdProcesses;
    beforeEach(async () => {
      const programs: EtcdPrograms = { etcd: pathOf(etcd), etcdutl: pathOf(etcdutl) };
      rig = await EtcdProcesses.create(programs, ['m0', 'm1', 'm2']);
    });
    afterEach(() => rig.close());
    etcdCases(() => rig);
  });
}

function pathOf(search: Search): string {
  if (!search.found) throw new Error(search.reason);
  return search.path;
}

suite('3.6', newest());
suite('3.5', findTool('etcd-3.5'));
