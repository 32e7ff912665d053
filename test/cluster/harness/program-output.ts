import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';

const LAST_CHARACTERS = 4000;

/** What a program writes to its standard output. @throws Error with the end of its errors when it does not end with 0 */
export async function programOutput(
  command: string,
  parameters: readonly string[],
  options: Pick<SpawnOptionsWithoutStdio, 'env'> = {},
): Promise<string> {
  const child = spawn(command, parameters, options);
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`the program ended with code ${String(code)}:\n${output.err.slice(-LAST_CHARACTERS)}`);
  return output.out;
}
