/** What happened when a schedule was last due. */
import type { Schedule } from "../../../../src/schedules/schedule.ts";
import { Time } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";

export function LastFiring({ appId, last }: { readonly appId: string; readonly last: Schedule["last"] }) {
  const { schedules: texts, general } = useTexts();
  if (last === null) return general.never;
  return (
    <>
      {last.run_id === null ? (
        <bdi className="failed-text">{last.error?.message}</bdi>
      ) : (
        <Link to={`/apps/${appId}/runs/${last.run_id}`}>{texts.started}</Link>
      )}{" "}
      <Time at={last.at} />
    </>
  );
}
