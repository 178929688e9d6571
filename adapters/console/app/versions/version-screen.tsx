/** One version, read-only; or, for an address such as `3...draft`, the difference of two. */
import type { ScreenProps } from "../routing/screen-props.ts";
import { DifferenceScreen } from "./difference-screen.tsx";
import { OneVersion } from "./one-version.tsx";

export default function VersionScreen({ params: { app = "", workflow = "", version = "" } }: ScreenProps) {
  const [from = "", to] = version.split("...");
  if (to === undefined) return <OneVersion appId={app} workflowId={workflow} version={from} />;
  return <DifferenceScreen appId={app} workflowId={workflow} from={from} to={to} />;
}
