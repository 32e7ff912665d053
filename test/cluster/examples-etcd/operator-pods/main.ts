/** The etcd operator as a process of a Pod. Members have addresses here, and names for the operator: a {@link Desk} of the test translates, and hears of its calls. */
import { request } from 'node:http';
import { inClusterConnection, run } from '@keelson/runtime';
import { createEtcdGateway } from '../../../../examples/etcd/client/gateway.js';
import { betweenNames } from '../../../../examples/etcd/client/local-names.js';
import { operator } from '../../../../examples/etcd/etcd-operator.js';
import { recorded } from '../membership/index.js';

const [desk = '', serviceAccount = ''] = process.argv.slice(2);

/** @returns what the desk answers */
function ask(path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(`${desk}/${path}`, { method: 'POST', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end(body);
  });
}

const gateway = betweenNames(createEtcdGateway(), { toAddress: (text) => ask('address', text), toName: (text) => ask('name', text) });
const etcd = recorded(`${process.env['POD_NAME']} ${process.pid}`, gateway, async (entry) => {
  await ask('entry', JSON.stringify(entry));
});
await run(operator, { externals: { etcd }, connection: inClusterConnection({ directory: serviceAccount }) });
