import { isSecretArgument, withoutCredentials } from '../../../src/runtime/masking/index.js';

test.each([
  ['curl -u bob:hunter2 https://a', 'curl -u bob:[hidden] https://a'],
  ['curl -sS -ubob:hunter2 https://a', 'curl -sS -ubob:[hidden] https://a'],
  ["/usr/bin/curl --user 'bob:hunt er2' https://a", "/usr/bin/curl --user 'bob:[hidden]' https://a"],
  ['curl --proxy-user bob:hunter2 https://a', 'curl --proxy-user bob:[hidden] https://a'],
  ['["curl","-u","bob:hunter2","https://a"]', '["curl","-u","bob:[hidden]","https://a"]'],
  ['args: ["curl", "-u", "bob:hunter2"]', 'args: ["curl", "-u", "bob:[hidden]"]'],
  ['{\\"command\\":[\\"curl\\",\\"-u\\",\\"bob:hunter2\\"]}', '{\\"command\\":[\\"curl\\",\\"-u\\",\\"bob:[hidden]\\"]}'],
  ['- curl\n- -u\n- bob:hunter2\n- https://a', '- curl\n- -u\n- bob:[hidden]\n- https://a'],
  ['mysql -uroot -phunter2 -e "SELECT 1"', 'mysql -uroot -p[hidden] -e "SELECT 1"'],
  ['exec: mysqldump -h db -phunter2 failed', 'exec: mysqldump -h db -p[hidden] failed'],
  ['sshpass -p hunter2 ssh -p 22 a', 'sshpass -p [hidden] ssh -p 22 a'],
  ['redis-cli -h a -a hunter2 ping', 'redis-cli -h a -a [hidden] ping'],
  ['openssl rsa -in a -passin pass:hunter2', 'openssl rsa -in a -passin pass:[hidden]'],
  ['["-passout","pass:hunter2"]', '["-passout","pass:[hidden]"]'],
  ['ldapsearch -x -w hunter2', 'ldapsearch -x -w [hidden]'],
  ['mongosh -u bob -p hunter2', 'mongosh -u bob -p [hidden]'],
  ['docker login -u bob -p hunter2 a.example', 'docker login -u bob -p [hidden] a.example'],
])('a password that is given by an option of one letter is hidden: %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});

test.each([
  'mkdir -p /data/a && ssh -p 22 a',
  'id -u root; chown -R a:b /data',
  'mysql --protocol=tcp; nc -p8080 a',
  'tests pass: 3, fail: 2',
  'curl https://a ; id -u 0:0',
])('what is no password stays: %s', (text) => {
  expect(withoutCredentials(text)).toBe(text);
});

test('an item of a list of arguments is judged by the command of the list', () => {
  const secrets = (...items: string[]): string[] => items.filter((_, index) => isSecretArgument(items, index));
  expect(secrets('/usr/bin/curl', '-s', '-u', 'bob:hunter2', 'https://a')).toEqual(['bob:hunter2']);
  expect(secrets('mysql', '-uroot', '-phunter2')).toEqual(['-phunter2']);
  expect(secrets('openssl', 'rsa', '-passin', 'pass:hunter2')).toEqual(['pass:hunter2']);
  expect(secrets('mkdir', '-p', '/data')).toEqual([]);
});
