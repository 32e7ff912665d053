import type { Completion } from '../usage/index.js';
import { type CompletedCommand, type CompletedOption, formsOf } from './completed-command.js';

/** For `eval`, and as a file `_keelson` of `fpath`. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef keelson
# Completion of keelson for zsh, made by keelson completion zsh.
_keelson() {
  local -a commands=(
${commands.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", "'\\''")}'\n`).join('')}  )
  if ((CURRENT == 2)); then
    commands+=('help:show the help of a command')
    _describe command commands
    _values option --help --version
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map(branchOf).join('')}    help) _describe command commands ;;
  esac
}
if [[ $funcstack[1] == _keelson ]]; then _keelson "$@"; else compdef _keelson keelson; fi
`;
}

function branchOf({ name, options, operands, isRepeated }: CompletedCommand): string {
  const specs = [
    ...options.flatMap(specsOf),
    ...operands.map(
      (completion, index) => `'${isRepeated && index === operands.length - 1 ? '*' : index + 1}:operand:${actionOf(completion)}'`,
    ),
  ];
  return `    ${name}) _arguments ${specs.join(' ')} ;;\n`;
}

/** One for each form; a form excludes the others unless it may be repeated. */
function specsOf(option: CompletedOption): readonly string[] {
  const forms = formsOf(option);
  const before = option.isMultiple ? '*' : `(${forms.join(' ')})`;
  return forms.map((form) => {
    if (option.value === undefined) return `'${before}${form}'`;
    return `'${before}${form}${form.startsWith('--') ? '=' : '+'}:value:${actionOf(option.value)}'`;
  });
}

function actionOf(completion: Completion): string {
  if (completion === 'file') return '_files';
  if (completion === 'folder') return '_files -/';
  return completion === 'text' ? ' ' : `(${completion.join(' ')})`;
}
