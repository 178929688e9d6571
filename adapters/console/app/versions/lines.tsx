/** Lines of two texts, with those that differ and a few around them. */
import { useTexts } from "../texts/language.ts";
import type { Line } from "./text-lines.ts";
import "./lines.css";

/** Equal lines that are shown around different ones. */
const CONTEXT = 3;
const SIGNS = { equal: " ", added: "+", removed: "−" } as const;

export function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const { versions: texts } = useTexts();
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== "equal"),
  );
  const words = { equal: "", added: texts.lineAdded, removed: texts.lineRemoved };
  return (
    <div className="lines" dir="ltr" role="group" tabIndex={0}>
      {lines.map(({ kind, text }, at) => {
        if (isNear[at] === true)
          return (
            <div key={at} className={kind}>
              <span aria-hidden="true">{SIGNS[kind]} </span>
              {kind === "equal" ? null : <span className="visually-hidden">{words[kind]}: </span>}
              {text}
            </div>
          );
        if (at > 0 && isNear[at - 1] !== true) return null;
        const next = isNear.indexOf(true, at);
        return (
          <div key={at} className="skipped">
            {texts.equalLines((next < 0 ? lines.length : next) - at)}
          </div>
        );
      })}
    </div>
  );
}
