/** Webhooks: addresses that start runs, and URLs that receive events. */

import { Tabs } from "../elements/controls/tabs.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { useQueryParams } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { useMe } from "../steps/server-data.ts";
import { useTexts } from "../texts/language.ts";
import { IncomingWebhooks } from "./incoming-webhooks.tsx";
import { OutgoingWebhooks } from "./outgoing-webhooks.tsx";

export default function WebhooksScreen({ params: { app = "" } }: ScreenProps) {
  const { webhooks: texts } = useTexts();
  const [params, change] = useQueryParams();
  const hasSecret = useMe(app)?.configured.secret !== false;
  const chosen = params.get("tab") === "outgoing" ? "outgoing" : "incoming";
  return (
    <>
      <PageHead title={texts.title} below={hasSecret ? undefined : texts.noSecret} />
      <Tabs
        label={texts.title}
        tabs={[
          { name: "incoming", label: texts.incoming },
          { name: "outgoing", label: texts.outgoing },
        ]}
        chosen={chosen}
        onChoose={(tab) => change({ tab: tab === "incoming" ? null : tab }, { replace: true })}
      >
        {chosen === "incoming" ? (
          <IncomingWebhooks appId={app} hasSecret={hasSecret} />
        ) : (
          <OutgoingWebhooks appId={app} hasSecret={hasSecret} />
        )}
      </Tabs>
    </>
  );
}
