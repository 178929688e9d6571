/** The input of the actions of the service `http`. */
import * as v from "valibot";
import { Visibility, wholeNumber } from "../../schema.ts";
import { isHeaderName, isHeaderValue } from "./header.ts";
import { JsonPointer, NextPage } from "./next-page.ts";
import { bodyFields, fileBodyFields, hasBody, hasOneBody, ONE_BODY, Pairs } from "./request-body.ts";

/** Number of pages and items that `paginate` reads unless the step says otherwise, and at most. */
const PAGES = { default: 100, most: 1_000 } as const;
const ITEMS = { default: 10_000, most: 100_000 } as const;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const WITHOUT_BODY: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);
const NO_BODY = "A GET or HEAD request cannot have a body. Use another method.";

const common = {
  url: v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(8_192, "Must have at most 8192 characters."),
    v.description("An http: or https: URL. With a connection, it may be relative to the base_url of the connection."),
  ),
  query: v.optional(v.pipe(Pairs, v.description("Query parameters. A list repeats a parameter, null omits it."))),
  headers: v.optional(
    v.record(
      v.pipe(v.string(), v.check(isHeaderName, "Must be a header name such as Accept.")),
      v.pipe(v.string(), v.check(isHeaderValue, "Must have no line break, and only characters up to U+00FF.")),
    ),
  ),
  response_timeout: v.optional(
    v.pipe(
      wholeNumber(1, 3_600),
      v.description(
        "Seconds within which the response must begin. Default: 30. The timeout of the step limits the whole attempt.",
      ),
    ),
    30,
  ),
} as const;

export const RequestInput = v.pipe(
  v.strictObject({
    ...common,
    method: v.optional(v.pipe(v.picklist(METHODS), v.description("Default: POST with a body, otherwise GET."))),
    ...bodyFields,
    ...fileBodyFields,
    response: v.optional(
      v.pipe(
        v.picklist(["auto", "json", "text", "file"]),
        v.description("auto returns JSON or text if the response has such a media type, and otherwise stores a file."),
      ),
      "auto",
    ),
    file_name: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1, "Must not be empty."),
        v.maxLength(255, "Must have at most 255 characters."),
        v.description("Name of the stored file. Default: the name that the server sends."),
      ),
    ),
    visibility: v.optional(v.pipe(Visibility, v.description("Visibility of the stored file."))),
  }),
  v.check(
    ({ response, file_name, visibility }) =>
      (file_name === undefined && visibility === undefined) || response === "auto" || response === "file",
    "file_name and visibility apply only to a stored file. Set response to auto or file.",
  ),
  v.check((input) => hasOneBody(input), ONE_BODY),
  v.check((input) => !(WITHOUT_BODY.has(input.method) && hasBody(input)), NO_BODY),
);

export const PaginateInput = v.pipe(
  v.strictObject({
    ...common,
    method: v.optional(v.pipe(v.picklist(["GET", "POST"]), v.description("Default: POST with a body, otherwise GET."))),
    ...bodyFields,
    next: v.pipe(NextPage, v.description("How the next page is found.")),
    items: v.optional(
      v.pipe(JsonPointer, v.description("JSON Pointer of the list in each body. Default: the body is the list.")),
      "",
    ),
    max_pages: v.optional(
      v.pipe(wholeNumber(1, PAGES.most), v.description(`Default: ${PAGES.default}.`)),
      PAGES.default,
    ),
    max_items: v.optional(
      v.pipe(wholeNumber(1, ITEMS.most), v.description(`Default: ${ITEMS.default}.`)),
      ITEMS.default,
    ),
  }),
  v.check((input) => hasOneBody(input), ONE_BODY),
  v.check((input) => !(WITHOUT_BODY.has(input.method) && hasBody(input)), NO_BODY),
);
export type PaginateInput = v.InferOutput<typeof PaginateInput>;
