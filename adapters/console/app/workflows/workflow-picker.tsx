/** Chooses a workflow of the app. */
import { useQuery } from "@tanstack/react-query";
import { ItemPicker, type PickerProps } from "../elements/fields/item-picker.tsx";
import { workflowsQuery } from "./use-workflow.ts";

export function WorkflowPicker({ appId, ...rest }: PickerProps) {
  const workflows = useQuery(workflowsQuery(appId));
  return <ItemPicker items={workflows.data?.items ?? []} {...rest} />;
}
