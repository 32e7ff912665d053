import type { Completion } from '../usage/index.js';
import { type CompletedCommand, formsOf } from './completed-command.js';

/** Works with the bash 3.2 of macOS too: neither `mapfile` nor associative arrays. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of keelson for bash, made by keelson completion bash.
_keelson() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} option='' operands=0 options='' takes='' current i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${names} help --help --version' -- "$word"))
    return
  fi
  for ((i = 2; i <= COMP_CWORD; i++)); do
    current=\${COMP_WORDS[i]}
    # bash splits --mode=cluster in three.
    if [[ $current == = && -n $option ]]; then
      ((i == COMP_CWORD)) && word=''
      continue
    fi
    ((i == COMP_CWORD)) && break
    if [[ -n $option ]]; then
      option=''
    elif [[ $current == -* ]]; then
      case $command:$current in
${commands.flatMap(patternOfValues).join('')}      esac
    else
      operands=$((operands + 1))
    fi
  done
  case $command in
${commands.map(({ name, options }) => `    ${name}) options='${options.map(({ long }) => long).join(' ')}' ;;\n`).join('')}    help) takes='${names}' ;;
  esac
  if [[ -z $option && $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    return
  fi
  case $command:\${option:-$operands} in
${commands.flatMap(casesOf).join('')}  esac
  case $takes in
    @file | @folder)
      local IFS=$'\\n' kind=-f
      [[ $takes == @folder ]] && kind=-d
      COMPREPLY=($(compgen $kind -- "$word"))
      compopt -o filenames 2>/dev/null
      ;;
    *) COMPREPLY=($(compgen -W "$takes" -- "$word")) ;;
  esac
  return 0
}
complete -F _keelson keelson
`;
}

/** The options of a command after which a value stands. */
function patternOfValues({ name, options }: CompletedCommand): readonly string[] {
  const forms = options.filter(({ value }) => value !== undefined).flatMap(formsOf);
  return forms.length === 0 ? [] : [`        ${forms.map((form) => `${name}:${form}`).join(' | ')}) option=$current ;;\n`];
}

function casesOf({ name, options, operands, isRepeated }: CompletedCommand): readonly string[] {
  const line = (place: string, completion: Completion): readonly string[] =>
    completion === 'text' ? [] : [`    ${place}) takes='${typeof completion === 'string' ? `@${completion}` : completion.join(' ')}' ;;\n`];
  return [
    ...options.flatMap((option) =>
      line(
        formsOf(option)
          .map((form) => `${name}:${form}`)
          .join(' | '),
        option.value ?? 'text',
      ),
    ),
    ...operands.flatMap((completion, index) =>
      line(`${name}:${isRepeated && index === operands.length - 1 ? '[0-9]*' : index}`, completion),
    ),
  ];
}
