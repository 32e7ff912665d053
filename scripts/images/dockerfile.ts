import type { ImageConfig } from './image.js';

/** Instructions that say how a container starts, and those of which nothing has to be known here. */
const INSTRUCTIONS = ['COPY', 'ENTRYPOINT', 'ENV', 'FROM', 'USER', 'WORKDIR'];

/**
 * How containers of a Dockerfile's last stage start. The image script takes it from there, so that its images start as those of users do.
 *
 * @throws Error at an instruction whose effect is not known here, and if USER or ENTRYPOINT is missing
 */
export function configOf(dockerfile: string): ImageConfig {
  const stage = lastStage(dockerfile);
  const unknown = stage.find(({ name }) => !INSTRUCTIONS.includes(name));
  if (unknown !== undefined)
    throw new Error(`${unknown.name} in the last stage of a Dockerfile is not understood; known are ${INSTRUCTIONS.join(', ')}`);
  const last = (name: string): string => {
    const found = stage.findLast((instruction) => instruction.name === name);
    if (found === undefined) throw new Error(`the last stage of the Dockerfile lacks ${name}`);
    return found.rest;
  };
  const variables = stage
    .filter(({ name }) => name === 'ENV')
    .map(({ rest }): [string, string] => [rest.slice(0, rest.indexOf('=')), rest.slice(rest.indexOf('=') + 1)]);
  const entrypoint = last('ENTRYPOINT');
  if (!entrypoint.startsWith('[')) throw new Error(`ENTRYPOINT ${entrypoint}: write a list, a shell passes no signal on`);
  return {
    entrypoint: JSON.parse(entrypoint) as string[],
    user: last('USER'),
    workingDirectory: last('WORKDIR'),
    environment: Object.fromEntries(variables),
  };
}

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

function lastStage(dockerfile: string): readonly Instruction[] {
  const instructions = dockerfile
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line): Instruction => {
      const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), rest: rest.trim() };
    });
  return instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
}
