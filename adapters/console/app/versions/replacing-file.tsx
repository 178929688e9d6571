/** Says which file replaces what is deployed here: `stepwell dev` deploys the files of its folder again at each start. */
import { useQuery } from "@tanstack/react-query";
import { visibleText } from "../elements/values/visible-text.ts";
import { readSession } from "../session/session.ts";
import { useTexts } from "../texts/language.ts";

interface ReplacingFileProps {
  readonly appId: string;
  /** Name of the workflow: files are matched with workflows by their names. */
  readonly name: string;
}

export function ReplacingFile({ appId, name }: ReplacingFileProps) {
  const { versions: texts } = useTexts();
  // Files come and go while the page is open.
  const { data } = useQuery({
    queryKey: [appId, "workflow-files"],
    queryFn: ({ signal }) => readSession(signal),
  });
  const file = data?.workflow_files?.find((one) => one.app_id === appId && one.name === name);
  return file === undefined ? null : <p role="status">{texts.fileReplaces(visibleText(file.path))}</p>;
}
