/** Keys as people read them, such as "Ctrl + K". */
import { Fragment } from "react";
import { useTexts } from "../texts/language.ts";

/** @param combination Names of `KeyboardEvent.key`, joined by `+`. */
export function Keys({ combination }: { readonly combination: string }) {
  const { shortcuts: texts } = useTexts();
  const names: Readonly<Record<string, string>> = texts.keys;
  return (
    <span className="keys" dir="ltr">
      {combination.split("+").map((key, index) => (
        <Fragment key={key}>
          {index === 0 ? null : " + "}
          <kbd>{names[key] ?? key.toUpperCase()}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
