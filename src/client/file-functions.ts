/** The functions of files that handle bytes. */
import type { FileFromUrl, FilesApi } from "../api/api.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { File } from "../files/file.ts";
import type { ByteRange } from "../files/parse-range.ts";
import type { Upload } from "../uploads/upload.ts";
import { checkOptions, WHOLE_NUMBER } from "./check-options.ts";
import type { ClientFilesApi, SentFile } from "./client.ts";
import { type Connection, wrongField } from "./connection.ts";
import { createDownload } from "./download.ts";
import { readJson } from "./response-body.ts";
import { ROUTES } from "./routes.ts";
import { createSendFile } from "./send-file.ts";
import { callRoute } from "./table-functions.ts";
import { rowOf } from "./table-row.ts";

export { bytesOf } from "./byte-stream.ts";

export function createFileFunctions(
  connection: Connection,
  get: FilesApi["get"],
): Pick<ClientFilesApi, "receive" | "create" | "content"> {
  const send = createSendFile(connection);
  const download = createDownload(connection);

  /** Stepwell fetches the file. The upload URL accepts one, so that a repeat creates no second file. */
  function sendUrl(uploadUrl: string, { url, signal }: FileFromUrl): Promise<File> {
    const body = JSON.stringify({ file_url: url });
    const headers = { "content-type": "application/json" };
    const outgoing = {
      method: "POST",
      path: uploadUrl,
      headers,
      body,
      signal,
      isRepeatable: true,
      timeoutMs: Infinity,
    };
    const read = (response: Response) => readJson(response, connection.maxResponseBytes) as Promise<File>; // by the route
    return connection.exchange(outgoing, read);
  }

  async function create(appId: string, input: SentFile | FileFromUrl): Promise<File> {
    const { name, visibility = "PRIVATE", key, signal } = input;
    const row = rowOf(ROUTES.uploads, "create");
    const given = [appId, { visibility, file_name: name }];
    const upload = (await callRoute(connection, row, given, { signal, key })) as Upload; // by the route
    const { upload_url, future_file_id } = upload;
    try {
      // With a key, an earlier call may have sent a part of the file, or all of it.
      if (!("url" in input)) return await send(upload_url, { ...input, resume: key !== undefined });
      return await sendUrl(upload_url, input);
    } catch (error) {
      if (!isStepwellError(error, "upload_used")) throw error;
      return get(appId, future_file_id);
    }
  }

  return {
    create,
    receive: (upload, content) => send(uploadUrlOf(upload), content),
    async content(appId, fileId, range) {
      if (range !== undefined) checkRange(range);
      const file = await get(appId, fileId);
      const { start, end } = range ?? { start: 0, end: file.size };
      if (start > end || end > file.size) {
        const message = `The range from ${start} to ${end} is outside the ${file.size} bytes of "${file.id}".`;
        throw new StepwellError("range_not_satisfiable", message);
      }
      return { file, body: download(appId, file, start, end) };
    },
  };
}

/** @throws StepwellError `invalid` for anything but two whole numbers */
function checkRange(range: ByteRange): void {
  checkOptions({ start: WHOLE_NUMBER, end: WHOLE_NUMBER }, range);
  for (const name of ["start", "end"] as const)
    if (range[name] === undefined) throw wrongField(`/${name}`, "Is required.");
}

/** @throws StepwellError `invalid` for anything but a URL: an id alone does not say where to send the file */
function uploadUrlOf(upload: string): string {
  if (URL.canParse(upload)) return upload;
  throw wrongField("/upload", "Must be the upload_url.");
}
