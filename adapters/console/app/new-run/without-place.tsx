/** What a person has typed for another version, and the form has no field for. */
import { typedTexts } from "../../../../src/forms/model/typed-text.ts";
import type { TypedValue } from "../../../../src/forms/model/typed-values.ts";
import { Button } from "../elements/controls/button.tsx";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { visibleText } from "../elements/values/visible-text.ts";
import { useTexts } from "../texts/language.ts";

interface WithoutPlaceProps {
  readonly typed: readonly TypedValue[];
  readonly onDismiss: () => void;
}

export function WithoutPlace({ typed, onDismiss }: WithoutPlaceProps) {
  const { newRun, runs, forms } = useTexts();
  const texts = typedTexts(typed).map(({ labels, text }) => ({ name: labels.join(" › ") || forms.values, text }));
  if (texts.length === 0) return null;
  const all = texts.map(({ name, text }) => `${name}: ${text}`).join("\n");
  return (
    <div className="without-place">
      <p role="status">{newRun.withoutPlace}</p>
      <dl>
        {texts.map(({ name, text }, index) => (
          // Two values can have the same name.
          <div key={`${index} ${name}`}>
            <dt>
              <bdi>{visibleText(name)}</bdi>
            </dt>
            <dd dir="auto">{visibleText(text)}</dd>
          </div>
        ))}
      </dl>
      <span className="call-tools">
        <CopyButton text={all} />
        <Button kind="quiet" onClick={onDismiss}>
          {runs.dismiss}
        </Button>
      </span>
    </div>
  );
}
