/** Where the requests of a webhook go, once a version with it is deployed. */
import { useQuery } from "@tanstack/react-query";
import type { InputStep } from "../../../../../src/workflows/step.ts";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { useSurroundings } from "../../expressions/surroundings-context.ts";
import { LIVE_QUERY } from "../../live/live-query.ts";
import { client } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";

interface HookAddressProps {
  readonly webhook: NonNullable<InputStep["webhook"]>;
  /** Path of a webhook that names none. */
  readonly defaultPath: string;
}

export function HookAddress({ webhook, defaultPath }: HookAddressProps) {
  const { inputFields: texts } = useTexts();
  const { app, workflowId } = useSurroundings();
  const mayRead = useMay("hooks:read");
  const { data } = useQuery({
    queryKey: [app.id, "hooks", "uses", workflowId],
    queryFn: ({ signal }) => client.with({ signal }).hooks.list(app.id, { workflow_id: workflowId }),
    enabled: mayRead,
    ...LIVE_QUERY,
  });
  if (data === undefined) return null;
  const path = trimmed(webhook.path ?? defaultPath);
  const hook = data.items.find((one) => one.method === webhook.method && one.path === path);
  if (hook === undefined) return <p className="hint">{texts.noAddressYet}</p>;
  return (
    <p className="hook-address">
      {hook.form ? (
        <a href={hook.url} target="_blank" rel="noopener noreferrer" dir="ltr">
          {hook.url}
        </a>
      ) : (
        <code dir="ltr">{hook.url}</code>
      )}{" "}
      <CopyButton text={hook.url} />
    </p>
  );
}

/** As the server knows paths. */
const trimmed = (path: string): string => path.split("/").filter(Boolean).join("/");
