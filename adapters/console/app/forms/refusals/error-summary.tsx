/**
 * What keeps a form from being sent, above it, with links to the fields. It takes the focus when it appears, which reads it
 * out; if the person has gone on, it is announced. It is no alert: that would be read out again with each field mended.
 */
import { useEffect, useId, useRef } from "react";
import { announce } from "../../elements/announced.tsx";
import { hasGoneOn } from "../../elements/gone-on.ts";
import { Icon } from "../../elements/icons.tsx";
import { isolateTurning } from "../../texts/isolate.ts";
import { useTexts } from "../../texts/language.ts";
import { controlId, focusControl } from "../form-context.ts";
import type { FormState } from "../use-form-state.ts";

export function ErrorSummary({ form }: { readonly form: FormState }) {
  const { forms } = useTexts();
  const summary = useRef<HTMLDivElement>(null);
  const { problems, refusals, props } = form;
  const id = useId();
  useEffect(() => {
    if (refusals === 0) return;
    if (hasGoneOn()) announce(summary.current?.innerText ?? "");
    else summary.current?.focus();
  }, [refusals]);
  if (problems.length === 0) return null;
  return (
    <div
      ref={summary}
      className="error-summary"
      role="group"
      aria-labelledby={`${id}-heading`}
      aria-describedby={`${id}-list`}
      tabIndex={-1}
    >
      <h2 id={`${id}-heading`}>
        <Icon name="error" /> {forms.problems(problems.length)}
      </h2>
      <ul id={`${id}-list`}>
        {problems.map(({ place, labels, message }) => {
          const text = labels.length === 0 ? message : `${labels.map(isolateTurning).join(" › ")}: ${message}`;
          return (
            <li key={`${place ?? labels.join("/")} ${message}`}>
              {place === null ? (
                text
              ) : (
                <a
                  href={`#${controlId(props.id, place)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    focusControl(props.id, place);
                  }}
                >
                  {text}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
