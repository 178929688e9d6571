/** The page's script is JavaScript in a text: what the compiler checks elsewhere is checked here. */
import {
  createCompilerHost,
  createProgram,
  createSourceFile,
  flattenDiagnosticMessageText,
  ScriptTarget,
} from "typescript";
import { expect, it } from "vitest";
import { METER } from "../../src/uploads/page/progress-script.ts";
import { SCRIPT } from "../../src/uploads/page/script.ts";
import { SENDING } from "../../src/uploads/page/tus-client-script.ts";

it("has types that fit, as strict as those of the library", () => {
  const options = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    types: [],
    target: ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  };
  const host = createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === "page.js"
      ? createSourceFile(name, `${SENDING}${METER}${SCRIPT}`, ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  const program = createProgram(["page.js"], options, host);
  const found = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()].map(
    ({ file, start = 0, messageText }) => {
      const line = file?.text.slice(0, start).split("\n").length;
      return `${line}: ${flattenDiagnosticMessageText(messageText, "\n")}`;
    },
  );
  expect(found).toEqual([]);
});
