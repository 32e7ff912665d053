import type { Completion } from '../usage/index.js';
import { type CompletedCommand, type CompletedOption, formsOf } from './completed-command.js';

export function fishScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of keelson for fish, made by keelson completion fish.
# __keelson_at COMMAND: the command is COMMAND. __keelson_at COMMAND N OPTION...: its next operand is the Nth from 0; a value follows each OPTION.
function __keelson_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    set -l operands 0
    set -l isvalue 0
    set -e words[1..2]
    for word in $words
        if test $isvalue = 1
            set isvalue 0
        else if contains -- $word $argv[3..]
            set isvalue 1
        else if not string match -q -- '-*' $word
            set operands (math $operands + 1)
        end
    end
    test $isvalue = 0; and string match -q -- $argv[2] $operands
end
function __keelson_first
    test (count (commandline -opc)) -eq 1
end
complete -c keelson -e
complete -c keelson -f
complete -c keelson -n __keelson_first -s h -l help
complete -c keelson -n __keelson_first -l version
${commands.map(({ name, summary }) => `complete -c keelson -n __keelson_first -a ${name} -d ${quoted(summary)}\n`).join('')}complete -c keelson -n __keelson_first -a help -d 'show the help of a command'
complete -c keelson -n '__keelson_at help 0' -a '${names}'
${commands.flatMap(linesOf).join('')}`;
}

function linesOf({ name, options, operands, isRepeated }: CompletedCommand): readonly string[] {
  const valued = options.filter(({ value }) => value !== undefined).flatMap(formsOf);
  return [
    ...options.map((option) => `complete -c keelson -n '__keelson_at ${name}'${formOf(option)}${offeredAfter(option.value)}\n`),
    ...operands.flatMap((completion, index) => {
      if (completion === 'text') return [];
      const place = isRepeated && index === operands.length - 1 ? '"*"' : index;
      return [`complete -c keelson -n '__keelson_at ${[name, place, ...valued].join(' ')}'${offered(completion)}\n`];
    }),
  ];
}

const formOf = ({ long, short }: CompletedOption): string => `${short === undefined ? '' : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`;

function offeredAfter(value: Completion | undefined): string {
  if (value === undefined) return '';
  return value === 'text' ? ' -x' : ` -r${offered(value)}`;
}

function offered(completion: Completion): string {
  if (completion === 'file') return ' -F';
  if (completion === 'folder') return " -f -a '(__fish_complete_directories)'";
  return completion === 'text' ? '' : ` -f -a '${completion.join(' ')}'`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
