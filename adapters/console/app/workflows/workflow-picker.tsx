/** Chooses a workflow of the app. */
import { useQuery } from "@tanstack/react-query";
import { ItemPicker, type PickerProps } from "../elements/fields/item-picker.tsx";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { workflowsQuery } from "./use-workflow.ts";

interface WorkflowPickerProps extends PickerProps {
  /** Whether it is chosen to be executed: then one without a deployed version gets a warning. @default false */
  readonly isExecuted?: boolean;
}

export function WorkflowPicker({ appId, isExecuted = false, error = null, ...rest }: WorkflowPickerProps) {
  const { workflows: texts } = useTexts();
  const refusal = useScopeRefusal("workflows:read");
  const items = useQuery({ ...workflowsQuery(appId), enabled: refusal === undefined }).data?.items ?? [];
  const chosen = items.find(({ id }) => id === rest.value);
  const isMissing = isExecuted && chosen?.latest_version === null;
  const note = refusal ?? (isMissing ? texts.deployFirst : null);
  return <ItemPicker items={items} error={error ?? (note === null ? null : { warning: note })} {...rest} />;
}
