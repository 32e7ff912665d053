import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from '../../scripts/cluster/binaries.js';

const binaries = findBinaries();
if (!binaries.found && process.env['CI'] !== undefined) throw new Error(binaries.reason);
const isLinux = process.platform === 'linux';
const reason = binaries.found && isLinux ? '' : ` [skipped: ${binaries.found ? 'Pods run as processes on Linux alone' : binaries.reason}]`;

/** What the demo tells of the etcd operator; other lines may stand between. */
const STORY = [
  /The etcd operator, with members that are processes/,
  /operator +runs on an API server in this process; its members will be processes of etcd 3\.6\.16/,
  /create the EtcdCluster ring with 3 members/,
  /event +New Member Added/,
  /ring-\w+ +serves at 127\.\d+\.\d+\.\d+:2379/,
  /EtcdCluster +Available=True, Ready=True/,
  /write colour=blue/,
  /kill ring-\w+, which leads, with its Pod and its data/,
  /event +Member Removed: Existing member ring-\w+ removed/,
  /EtcdCluster +Available=True, Ready=True/,
  /read from ring-\w+, which is new: colour=blue/,
  /delete the EtcdCluster/,
  /nothing is left, no process either; \d+ requests of the operator, none was refused/,
];

function missingInOrder(text: string, parts: readonly RegExp[]): RegExp[] {
  let rest = text;
  return parts.filter((part) => {
    const at = part.exec(rest);
    if (at !== null) rest = rest.slice(at.index + at[0].length);
    return at === null;
  });
}

(reason === '' ? test : test.skip)(
  `the demo makes a cluster of real members, loses one of them, and reads what was written${reason}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-demo-'));
    try {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/demo.ts'], {
        encoding: 'utf8',
        env: { ...process.env, CDK8S_OUTDIR: folder },
      });
      if (status !== 0) throw new Error(`it ends with ${status}:\n${stderr}\n${stdout}`);
      expect(missingInOrder(stdout, STORY)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
