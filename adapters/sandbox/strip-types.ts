/** Makes JavaScript of TypeScript by leaving the types out: each line keeps its number. Checks no types. */
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { isRecord } from "../../src/json.ts";

export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
}

export type Stripped =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly problem: SyntaxProblem };

/** More than this is no code that a person wrote; sucrase holds a hundred bytes for each. */
const MAX_CODE_CHARS = MEBIBYTE;

/** The library is loaded with the first code that is no JavaScript. Null when there is nothing to leave out. */
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

/** Null for what the library could not read because it is nested too deep. */
function problemOf(error: unknown, code: string): SyntaxProblem | null {
  if (!(error instanceof Error) || !("loc" in error) || !isRecord(error.loc)) return null;
  const line = Number(error.loc["line"]);
  const last = code.split("\n").length;
  const reason = error.message.replace(/ \(\d+:\d+\)$/, "");
  return { line: Math.min(line, last), message: `SyntaxError: ${reason} (line ${Math.min(line, last)})` };
}
