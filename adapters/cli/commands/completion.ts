/** `stepwell completion`: a script that completes commands in a shell. */
import { type Command, EXIT, OUTPUT_ARGS } from "../command.ts";
import { SCRIPTS } from "../completion/scripts.ts";
import { wrongUse } from "../terminal/failure.ts";
import { printJson } from "../terminal/shell.ts";

export const command: Command = {
  description: "Print a script that completes stepwell in your shell",
  args: {
    shell: { type: "positional", description: "bash, zsh or fish" },
    ...OUTPUT_ARGS,
  },
  examples: [
    `eval "$(stepwell completion bash)"    # in ~/.bashrc`,
    `eval "$(stepwell completion zsh)"     # in ~/.zshrc, after compinit`,
    "stepwell completion fish | source     # in ~/.config/fish/config.fish",
  ],
  async run(given, shell, commands) {
    const name = given.text("shell") ?? "";
    if (name !== "bash" && name !== "zsh" && name !== "fish") {
      throw wrongUse(
        `There is no completion for ${JSON.stringify(name)}.`,
        "Type: stepwell completion bash, zsh or fish.",
      );
    }
    const { apiWords, commandWords } = await import("../completion/words.ts");
    const script = SCRIPTS[name](await commandWords(commands), apiWords());
    if (given.flag("json")) printJson(shell, { shell: name, script });
    else shell.output.write(script);
    return EXIT.ok;
  },
};
