/** Converts TypeScript to JavaScript by removing types. Keeps line numbers and doesn't check types. */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { isRecord } from "../../src/json.ts";

export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
}

export type Stripped =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly problem: SyntaxProblem };

/** Longer code is not hand-written, and sucrase needs a hundred bytes per character. */
const MAX_CODE_CHARS = MEBIBYTE;

/** Loads the library on first use. Returns null if there is nothing to remove. */
export async function stripTypes(code: string): Promise<Stripped | null> {
  if (code.length > MAX_CODE_CHARS) return null;
  const { transform } = await import("sucrase");
  try {
    const stripped = transform(code, {
      transforms: ["typescript"],
      disableESTransforms: true,
      keepUnusedImports: true,
    });
    return stripped.code === code ? null : { ok: true, code: stripped.code };
  } catch (error) {
    const problem = problemOf(error, code);
    return problem === null ? null : { ok: false, problem };
  }
}

/** Returns null if the library failed because the code is nested too deeply. */
function problemOf(error: unknown, code: string): SyntaxProblem | null {
  if (!(error instanceof Error) || !("loc" in error) || !isRecord(error.loc)) return null;
  const line = Number(error.loc["line"]);
  const last = code.split("\n").length;
  const reason = error.message.replace(/ \(\d+:\d+\)$/, "");
  return { line: Math.min(line, last), message: `SyntaxError: ${reason} (line ${Math.min(line, last)})` };
}
