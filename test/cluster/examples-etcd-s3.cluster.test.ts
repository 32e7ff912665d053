import type { S3Location } from '../../examples/etcd/backup/store.js';
import { storeCases } from '../../examples/etcd/backup/store-cases.js';
import { createBackupStores } from '../../examples/etcd/backup/stores.js';
import { S3Process, s3Server } from './examples-etcd/s3-process.js';

const title = 'The S3 store of the etcd example';
const declare = s3Server.found ? describe : describe.skip;
declare(s3Server.found ? title : `${title} [skipped: ${s3Server.reason}]`, () => {
  let server: S3Process;
  const location = (): S3Location => ({
    type: 'S3',
    bucket: 'backups',
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  });
  beforeEach(async () => {
    server = await S3Process.start('backups');
  });
  afterEach(() => server.stop());

  storeCases(() => ({ stores: createBackupStores(), location: location() }));

  test('a bucket that is not there, and a server that is not there, are told apart', async () => {
    const stores = createBackupStores();
    await expect(stores.list({ ...location(), bucket: 'others' }, '')).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringContaining('NoSuchBucket'),
    });
    const gone = await S3Process.start();
    await gone.stop();
    const nobody = { ...location(), endpoint: gone.endpoint };
    await expect(stores.list(nobody, '')).rejects.toMatchObject({ code: 'Unavailable', message: expect.stringContaining('ECONNREFUSED') });
  });
});
