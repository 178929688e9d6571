/**
 * What keeps a form from being sent, above it, with links to the fields. It takes the focus when it appears, unless the
 * person has gone on.
 */
import { useEffect, useRef } from "react";
import { hasGoneOn } from "../elements/gone-on.ts";
import { Icon } from "../elements/icons.tsx";
import { isolateTurning } from "../texts/isolate.ts";
import { useTexts } from "../texts/language.ts";
import { controlId, focusControl } from "./form-context.ts";
import type { FormState } from "./use-form-state.ts";

export function ErrorSummary({ form }: { readonly form: FormState }) {
  const { forms } = useTexts();
  const summary = useRef<HTMLDivElement>(null);
  const { problems, refusals, props } = form;
  useEffect(() => {
    if (refusals > 0 && !hasGoneOn()) summary.current?.focus();
  }, [refusals]);
  if (problems.length === 0) return null;
  return (
    <div ref={summary} className="error-summary" role="alert" tabIndex={-1}>
      <h2>
        <Icon name="error" /> {forms.problems(problems.length)}
      </h2>
      <ul>
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
