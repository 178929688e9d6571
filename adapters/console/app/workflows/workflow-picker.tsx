/** Chooses a workflow of the app. */
import { useQuery } from "@tanstack/react-query";
import { ItemPicker, type PickerProps } from "../elements/fields/item-picker.tsx";
import { useTexts } from "../texts/language.ts";
import { workflowsQuery } from "./use-workflow.ts";

interface WorkflowPickerProps extends PickerProps {
  /** Whether it is chosen to be executed: then one without a deployed version gets a warning. @default false */
  readonly isExecuted?: boolean;
}

export function WorkflowPicker({ appId, isExecuted = false, error = null, ...rest }: WorkflowPickerProps) {
  const { workflows: texts } = useTexts();
  const items = useQuery(workflowsQuery(appId)).data?.items ?? [];
  const chosen = items.find(({ id }) => id === rest.value);
  const isMissing = isExecuted && chosen?.latest_version === null;
  return <ItemPicker items={items} error={error ?? (isMissing ? { warning: texts.deployFirst } : null)} {...rest} />;
}
