/** The fields of a step type. */
import type { Step } from "../../../../../src/workflows/step.ts";
import type { KindProps } from "../kind-props.ts";
import { BranchFields } from "./branch-fields.tsx";
import { BrowserFields } from "./browser-fields.tsx";
import { CodeFields } from "./code-editor-fields.tsx";
import { HttpRequestFields } from "./http-request-fields.tsx";
import { InputFields } from "./input-fields.tsx";
import { ModelFields } from "./model-fields.tsx";
import { NoteEditor } from "./note-editor.tsx";
import { ServiceFields } from "./service-fields.tsx";
import { WorkflowFields } from "./workflow-fields.tsx";

export function KindFields({ step, onChange, problemAt }: KindProps<Step>) {
  const shared = { onChange, problemAt };
  switch (step.type) {
    case "note":
      return <NoteEditor step={step} {...shared} />;
    case "input":
      return <InputFields step={step} {...shared} />;
    case "branch":
      return <BranchFields step={step} {...shared} />;
    case "code":
      return <CodeFields step={step} {...shared} />;
    case "http_request":
      return <HttpRequestFields step={step} {...shared} />;
    case "browser":
      return <BrowserFields step={step} {...shared} />;
    case "service":
      return <ServiceFields step={step} {...shared} />;
    case "workflow":
      return <WorkflowFields step={step} {...shared} />;
    case "model":
      return <ModelFields step={step} {...shared} />;
  }
}
