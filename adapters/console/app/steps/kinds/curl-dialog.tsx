import { useState } from "react";
import type { HttpRequestStep } from "../../../../../src/workflows/step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { Field } from "../../elements/fields/field.tsx";
import { useTexts } from "../../texts/language.ts";
import { readCurl } from "./curl.ts";

interface CurlDialogProps {
  readonly onImport: (request: Pick<HttpRequestStep, "url" | "method" | "headers" | "body">) => void;
  readonly onClose: () => void;
}

/** Takes a command line that people copy from documentation or from the tools of a browser. */
export function CurlDialog({ onImport, onClose }: CurlDialogProps) {
  const { steps: texts, general } = useTexts();
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);

  function read(): void {
    const request = readCurl(text);
    if (request === null) setWrong(true);
    else onImport(request);
  }

  return (
    <Dialog
      title={texts.importCurl}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{general.cancel}</Button>
          <Button kind="primary" onClick={read}>
            {texts.importNow}
          </Button>
        </>
      }
    >
      <Field label={texts.curlCommand} hint={texts.curlHint} error={isWrong ? texts.noCurl : null}>
        {(attributes) => (
          <textarea
            {...attributes}
            spellCheck={false}
            placeholder="curl https://api.example.com -H 'Accept: application/json'"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setWrong(false);
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}
