/** A web page to read. What needs a rendering browser says so where the host has none. */
import type { BrowserStep } from "../../../../../src/workflows/step.ts";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { ValueField } from "../../expressions/value-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { SwitchField } from "../controls/plain-fields.tsx";
import type { KindProps } from "../kind-props.ts";
import { useMe } from "../server-data.ts";
import { withField } from "../step-change.ts";

export function BrowserFields({ step, onChange, problemAt }: KindProps<BrowserStep>) {
  const { steps: texts } = useTexts();
  const hasBrowser = useMe(useSurroundings().app.id)?.configured.browser !== false;
  return (
    <>
      {hasBrowser ? null : <p className="notice">{texts.noBrowser}</p>}
      <ValueField
        label={texts.url}
        value={step.url}
        error={problemAt("/url")}
        hasAuto={true}
        placeholder="https://example.com/{{ input.page }}"
        onChange={(value) => onChange({ ...step, url: typeof value === "string" ? value : "" })}
      />
      <SwitchField
        label={texts.stripHtml}
        hint={texts.stripHtmlHint}
        isOn={step.strip_html === true}
        error={problemAt("/strip_html")}
        onChange={(isOn) => onChange(withField(step, "strip_html", isOn ? true : undefined))}
      />
      <ValueField
        label={texts.waitFor}
        hint={hasBrowser ? texts.waitForHint : `${texts.waitForHint} ${texts.needsBrowser}`}
        isOptional={true}
        hasAuto={true}
        value={step.wait_for_selector}
        error={problemAt("/wait_for_selector")}
        placeholder="#content .ready"
        onChange={(value) =>
          onChange(withField(step, "wait_for_selector", typeof value === "string" && value !== "" ? value : undefined))
        }
      />
    </>
  );
}
