/** Questions to a person in a terminal. Answers go to standard error, so that standard output has only results. */
import { CanceledError } from "../terminal/failure.ts";
import { printable, type Shell } from "../terminal/shell.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

interface TextQuestion {
  readonly message: string;
  readonly placeholder?: string | undefined;
  readonly initial?: string | undefined;
  /** Why a text is no answer; undefined if it is one. */
  check?(text: string): string | undefined;
}

export interface Ask {
  text(question: TextQuestion): Promise<string>;
  confirm(message: string, initial?: boolean): Promise<boolean>;
  select(message: string, choices: readonly Choice[], initial?: string): Promise<string>;
  multiselect(message: string, choices: readonly Choice[], isRequired: boolean): Promise<readonly string[]>;
  note(text: string): void;
}

/** @throws CanceledError from each question, if the person cancels it or the input ends */
export async function openAsk(shell: Shell): Promise<Ask> {
  const { input, messages } = shell;
  const clack = await import("@clack/prompts");
  const streams = { input, output: messages, signal: untilEndOfInput(shell) };
  const answered = <Value>(answer: Value | typeof clack.CANCEL_SYMBOL): Exclude<Value, symbol> => {
    if (typeof answer === "symbol") throw new CanceledError();
    return answer as Exclude<Value, symbol>; // the only symbol is the one above
  };
  return {
    async text({ message, placeholder = "", initial = "", check }) {
      // An answer must be what is shown.
      const initialValue = printable(initial) === initial ? initial : "";
      const validate = (value: string | undefined) => check?.(value ?? "");
      return (
        answered(
          await clack.text({ ...streams, message, placeholder: printable(placeholder), initialValue, validate }),
        ) ?? ""
      );
    },
    confirm: async (message, initialValue = true) =>
      answered(await clack.confirm({ ...streams, message, initialValue })),
    async select(message, choices, initial) {
      const initialValue = initial ?? choices[0]?.value ?? "";
      return answered(await clack.select({ ...streams, message, options: [...choices], initialValue }));
    },
    async multiselect(message, choices, required) {
      return answered(await clack.multiselect({ ...streams, message, options: [...choices], required }));
    },
    note: (text) => clack.note(text, undefined, { output: messages }),
  };
}

/** Also aborts at Ctrl+D and when the terminal is closed: a question would otherwise stay open forever. */
function untilEndOfInput({ input, signal }: Shell): AbortSignal {
  const ended = new AbortController();
  input.once("end", () => ended.abort());
  input.once("close", () => ended.abort());
  input.on("keypress", (_: unknown, { name, ctrl }: { readonly name?: string; readonly ctrl?: boolean }) => {
    if (ctrl === true && name === "d") ended.abort();
  });
  return AbortSignal.any([signal, ended.signal]);
}
