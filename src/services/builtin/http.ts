/** The built-in service `http`: requests with connections, bodies of every kind, files and pagination. */
import * as v from "valibot";
import { FileSummary, fileSummary } from "../../files/file.ts";
import { safeName } from "../../files/file-name.ts";
import { declaredType } from "../../files/media-type.ts";
import { omitUndefined } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import { jsonValue, list } from "../../schema.ts";
import { createPause } from "../../time/pause.ts";
import { MINUTE_MS } from "../../time/units.ts";
import { defineService } from "../define-service.ts";
import { HttpConnection, PUBLIC_CREDENTIALS } from "../http/credentials.ts";
import { PaginateInput, RequestInput } from "../http/input.ts";
import { createOAuthTokens } from "../http/oauth-tokens.ts";
import { readPages } from "../http/read-pages.ts";
import { readResponse } from "../http/read-response.ts";
import { outgoingRequest, sendRequest } from "../http/send-request.ts";

const Output = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  body: jsonValue,
  file: v.nullable(FileSummary),
  mime_type: v.nullable(v.string()),
});

export type HttpService = ReturnType<typeof http>;

/** @param parts `fileBytes`: the most bytes of a response that becomes a file. */
export function http({ clock, fileBytes }: { clock: Clock; fileBytes: number }) {
  const tokens = createOAuthTokens(clock);
  const now = () => clock.now();
  const pause = createPause(clock);

  return defineService({
    name: "http",
    title: "HTTP",
    connection: HttpConnection,
    connectionOptional: true,
    publicCredentials: PUBLIC_CREDENTIALS,
    actions: {
      request: {
        title: "Send an HTTP request",
        description:
          "Sends a request, with the credentials of the connection if one is set. The response becomes JSON, text or a file of the app. A status of 400 or above fails the step.",
        input: RequestInput,
        output: Output,
        timeoutMs: 10 * MINUTE_MS,
        async run(input, context) {
          const { app_id, stepwell, idempotencyKey } = context;
          const { response: format, file_name, visibility } = input;
          const request = await outgoingRequest(input, context, fileBytes);
          return readResponse(await sendRequest(request, context, tokens), {
            ...{ format, now, pause },
            async store({ name, type, body }) {
              const given = omitUndefined({
                type: declaredType(type) === undefined ? undefined : type?.slice(0, 255),
                visibility,
              });
              const file = { name: file_name ?? safeName(name), body, key: idempotencyKey, ...given };
              return fileSummary(await stepwell.files.create(app_id, file));
            },
          });
        },
      },
      paginate: {
        title: "Read a list page by page",
        description:
          "Requests the pages of a list and returns all items. has_more is true if a limit was reached before the last page.",
        input: PaginateInput,
        output: v.object({ items: list(jsonValue), pages: v.number(), has_more: v.boolean() }),
        timeoutMs: 10 * MINUTE_MS,
        run: (input, context) => readPages(input, { tokens, now, pause, context }),
      },
    },
  });
}
