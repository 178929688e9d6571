/** Responses of the addresses of forms: web pages for browsers, JSON for programs. */
import { ERRORS, isStepwellError, StepwellError } from "../../errors.ts";
import type { Document } from "../../web-pages/html.ts";
import { languageOf } from "../../web-pages/language.ts";
import type { Language } from "../../web-pages/languages.ts";
import { type TextName, textsIn } from "../../web-pages/page-texts.ts";
import { readableBytes, typeNamesIn } from "../../web-pages/quantities.ts";
import { PRIVATE_HEADERS, pageResponse, prefersHtml } from "../../web-pages/respond.ts";
import type { Sender } from "../../web-pages/sender.ts";
import type { InputField } from "../../workflows/input/input-field.ts";
import { type FormField, hasFieldOfType, presetTexts, type Submitted, valueAt, withNested } from "../form-values.ts";
import { type Answer, acceptedBy, type FormContent, type FormHead, type LinkForm } from "../forms.ts";
import type { FormLimits, Submission } from "../read-submission.ts";
import { ONCE_NAME, type StartForm } from "../start-forms.ts";
import { formPage, type Notice, noticePage } from "./form-page.ts";

type Closed = "early" | "over";

/** Why a form cannot be answered, for programs. */
const CLOSED: Readonly<Record<Closed, string>> = {
  early: "The run has not reached the step. Try again later.",
  over: "The step has got its input, or the run has ended. The link is no longer needed.",
};

const closedError = (state: Closed) => new StepwellError("conflict", CLOSED[state]);

const closedPage = (state: Closed, request: Request, form: LinkForm) =>
  notice(state, request, form, ERRORS.conflict.status);

const NO_SCRIPT = { hasScript: false };
const NOTHING: Submitted = new Map();

/** Responds to GET. */
export async function showForm(request: Request, open: () => Promise<LinkForm>): Promise<Response> {
  if (!prefersHtml(request)) {
    const form = await open();
    if (form.state !== "open") throw closedError(form.state);
    const { step_key, definition, schema, since, until } = form.content;
    return Response.json({ step_key, definition, schema, since, until }, { headers: PRIVATE_HEADERS });
  }
  try {
    const form = await open();
    if (form.state !== "open") return closedPage(form.state, request, form);
    return pageResponse(
      await render(request, { ...form, ...form.content, once: null }, NOTHING, new Map(), false),
      NO_SCRIPT,
    );
  } catch (error) {
    return errorPage(error, request, null);
  }
}

/** Responds to POST. */
export async function respondToForm(
  request: Request,
  limits: FormLimits,
  open: () => Promise<LinkForm>,
  answer: (form: LinkForm, isFromPage: boolean) => Promise<Answer>,
): Promise<Response> {
  if (!prefersHtml(request)) {
    const result = await answer(await open(), false);
    if (result.kind === "refused") throw result.error;
    if (result.kind !== "received") throw closedError(result.kind);
    return Response.json({ status: "received" }, { headers: PRIVATE_HEADERS });
  }
  try {
    const form = await open();
    const result = await answer(form, true);
    if (result.kind === "received") return notice("sent", request, form, 200);
    if (result.kind !== "refused") return closedPage(result.kind, request, form);
    // Only an open form reads the values that it may refuse.
    if (form.state !== "open") return closedPage(form.state, request, form);
    return await refusedPage(request, { ...form, ...form.content, once: null }, result);
  } catch (error) {
    return errorPage(error, request, limits);
  }
}

/** The query of the page that follows a form that was sent. */
const SENT = "sent";

/** Responds to GET of a webhook that has a form. */
export async function showStartForm(request: Request, open: () => Promise<StartForm>): Promise<Response> {
  try {
    const form = pageOfStart(await open());
    if (new URL(request.url).searchParams.has(SENT)) return notice("started", request, form, 200);
    return pageResponse(await render(request, form, NOTHING, new Map(), false), NO_SCRIPT);
  } catch (error) {
    return errorPage(error, request, null);
  }
}

/** Responds to POST of a webhook that has a form. */
export async function respondToStartForm(
  request: Request,
  limits: FormLimits,
  open: () => Promise<StartForm>,
  start: (form: StartForm) => Promise<Answer>,
): Promise<Response> {
  try {
    const form = await open();
    const result = await start(form);
    if (result.kind === "refused") return await refusedPage(request, pageOfStart(form), result);
    // Reloading the next page starts no second run.
    return new Response(null, { status: 303, headers: { ...PRIVATE_HEADERS, location: `?${SENT}` } });
  } catch (error) {
    return errorPage(error, request, limits);
  }
}

interface PageContent extends FormHead, FormContent {
  readonly until: string | null;
  /** The key of a page that starts runs. */
  readonly once: string | null;
}

const pageOfStart = ({ app, title, content, once }: StartForm): PageContent => ({
  ...{ ...content, app, title, once, language: null, text: null, markdown: null, until: null },
});

async function refusedPage(
  request: Request,
  form: PageContent,
  { error, submission }: Extract<Answer, { kind: "refused" }>,
): Promise<Response> {
  const { texts, files } = submission;
  const errors = messagesOf(error, form.fields, submission, form.language ?? languageOf(request));
  return pageResponse(await render(request, form, texts, errors, files.size > 0), NO_SCRIPT, 422);
}

async function render(
  request: Request,
  { app, language, title, text, markdown, fields, options, connections, definition, until, once }: PageContent,
  texts: Submitted,
  errors: ReadonlyMap<string, string>,
  hasLostFiles: boolean,
): Promise<Document> {
  const hasMarkdown = markdown !== null || hasFieldOfType(definition, "content");
  return formPage({
    ...{
      fields,
      errors,
      until,
      hasLostFiles,
      once: once === null ? null : { name: ONCE_NAME, value: once },
      sender: senderOf(app),
      title,
      text,
      shownMarkdown: markdown,
      display: options.display ?? {},
    },
    language: language ?? languageOf(request),
    texts: errors.size === 0 ? presetTexts(fields) : texts,
    typeNames: await typeNamesIn(textsIn(language ?? languageOf(request))),
    connections: (field: InputField) => acceptedBy(field, connections),
    markdown: hasMarkdown ? (await import("../../web-pages/markdown.ts")).markdownToHtml : String,
  });
}

const senderOf = ({ name, color }: FormHead["app"]): Sender => ({ name, color });

function notice(kind: Notice, request: Request, form: Pick<FormHead, "app" | "language">, status: number): Response {
  const page = noticePage(kind, form.language ?? languageOf(request), senderOf(form.app));
  return pageResponse(page, NO_SCRIPT, status);
}

const readableLimits = ({ bodyBytes, fileBytes }: FormLimits, language: Language) => ({
  file: readableBytes(fileBytes, language),
  texts: readableBytes(bodyBytes, language),
});

/**
 * Rethrows internal errors, so that the handler logs them.
 * @param limits Null for a request without a body, which cannot be too large.
 */
function errorPage(error: unknown, request: Request, limits: FormLimits | null): Response {
  if (!isStepwellError(error) || error.code === "internal") throw error;
  const language = languageOf(request);
  const kind = NOTICES[error.code] ?? "failed";
  const page = noticePage(kind, language, null, limits === null ? {} : readableLimits(limits, language));
  return pageResponse(page, NO_SCRIPT, ERRORS[error.code].status);
}

const NOTICES: Partial<Record<StepwellError["code"], Notice>> = {
  not_found: "unknown",
  link_expired: "expired",
  too_large: "large",
  too_many_requests: "busy",
  unavailable: "busy",
};

/** What is wrong with each control, in the language of the page. */
function messagesOf(
  { errors }: StepwellError,
  fields: readonly FormField[],
  submission: Submission,
  language: Language,
): Map<string, string> {
  const all = withNested(fields);
  const messages = new Map<string, string>();
  for (const { pointer, message } of errors) {
    const field = all.findLast(({ name }) => pointer === name || pointer.startsWith(`${name}/`));
    if (field === undefined) messages.set(pointer, message);
    else if (!messages.has(field.name)) messages.set(field.name, messageOf(field, submission, language));
  }
  return messages;
}

function messageOf(form: FormField, submission: Submission, language: Language): string {
  const say = textsIn(language);
  const large = submission.largeFiles.get(form.name);
  if (large === undefined) return say(wrong(form, submission));
  return say("wrong_size", { name: large.name, limit: readableBytes(large.limit, language) });
}

function wrong({ name, field }: FormField, { texts, values }: Submission): TextName {
  const isEmpty = (texts.get(name) ?? []).every((text) => text.trim() === "");
  if (isEmpty && valueAt(values, name) === undefined) return "wrong_required";
  switch (field.type) {
    case "file":
      return "wrong_file";
    case "number":
      return field.list === undefined ? "wrong_number" : "wrong_choice";
    case "string":
      return field.validation === "url" ? "wrong_url" : "wrong_choice";
    case "date":
      return "wrong_date";
    case "datetime":
      return "wrong_datetime";
    case "time":
      return "wrong_time";
    case "select":
    case "connection":
      return "wrong_choice";
    default:
      return "wrong_value";
  }
}
