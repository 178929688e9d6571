/** Scripts that complete `stepwell` in shells. Pure. */
import type { CommandWords } from "./words.ts";

type Api = ReadonlyMap<string, readonly string[]>;
type Script = (commands: readonly CommandWords[], api: Api) => string;

/** In single quotes, for each of the shells. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const bash: Script = (commands, api) => `# Completion of stepwell for bash: eval "$(stepwell completion bash)"
_stepwell() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(commands.map(({ name }) => name).join(" "))}
  else
    case "\${COMP_WORDS[1]}" in
${commands.map((one) => bashCase(one, api)).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _stepwell stepwell
`;

function bashCase({ name, options, words }: CommandWords, api: Api): string {
  const own = `      ${name}) words=${quoted(options.join(" "))}`;
  const first = words.length === 0 ? "" : `; [ "$COMP_CWORD" -eq 2 ] && words=${quoted(words.join(" "))}`;
  if (name !== "api") return `${own}${first} ;;`;
  const groups = [...api].map(([group, names]) => `          ${group}) words=${quoted(names.join(" "))} ;;`);
  return `${own}${first}
        [ "$COMP_CWORD" -eq 3 ] && case "\${COMP_WORDS[2]}" in
${groups.join("\n")}
        esac ;;`;
}

const zsh: Script = (commands, api) => `#compdef stepwell
# Completion of stepwell for zsh: eval "$(stepwell completion zsh)"
_stepwell() {
  local -a found
  if (( CURRENT == 2 )); then
    found=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ")})
    _describe 'command' found
    return
  fi
  case "\${words[2]}" in
${commands
  .map(({ name, options, words }) => {
    const first = words.length === 0 ? "" : `(( CURRENT == 3 )) && found=(${words.join(" ")}); `;
    const functions =
      name !== "api"
        ? ""
        : `(( CURRENT == 4 )) && case "\${words[3]}" in ${[...api].map(([group, names]) => `${group}) found=(${names.join(" ")}) ;;`).join(" ")} esac; `;
    return `    ${name}) found=(${options.join(" ")}); ${first}${functions};;`.replace("; ;;", " ;;");
  })
  .join("\n")}
  esac
  compadd -- $found
  _files
}
compdef _stepwell stepwell
`;

const fish: Script = (commands, api) => {
  const lines = commands.flatMap(({ name, summary, options, words }) => [
    `complete -c stepwell -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...options.map(
      (option) => `complete -c stepwell -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${option.slice(2)}`,
    ),
    ...(words.length === 0
      ? []
      : [
          `complete -c stepwell -f -n ${quoted(`__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2`)} -a ${quoted(words.join(" "))}`,
        ]),
  ]);
  const functions = [...api].map(
    ([group, names]) =>
      `complete -c stepwell -f -n ${quoted(`__fish_seen_subcommand_from api; and test (count (commandline -opc)) -eq 3; and test (commandline -opc)[3] = ${group}`)} -a ${quoted(names.join(" "))}`,
  );
  return `# Completion of stepwell for fish: stepwell completion fish | source\n${[...lines, ...functions].join("\n")}\n`;
};

export const SCRIPTS = { bash, zsh, fish } as const;
