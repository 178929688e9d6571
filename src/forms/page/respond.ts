/** Responses of the addresses of forms: web pages for browsers, JSON for programs. */
import { ERRORS, isStepwellError, StepwellError } from "../../errors.ts";
import type { Document } from "../../web-pages/html.ts";
import { languageOf } from "../../web-pages/language.ts";
import type { Language } from "../../web-pages/languages.ts";
import { loadTexts, type PageTexts } from "../../web-pages/page-texts.ts";
import { readableBytes, typeNamesIn } from "../../web-pages/quantities.ts";
import { PRIVATE_HEADERS, pageResponse, prefersHtml } from "../../web-pages/respond.ts";
import type { Sender } from "../../web-pages/sender.ts";
import type { InputField } from "../../workflows/input/input-field.ts";
import { hasFieldOfType, presetTexts, type Submitted } from "../form-values.ts";
import { type Answer, acceptedBy, type FormContent, type FormHead, type LinkForm } from "../forms.ts";
import type { FormLimits } from "../read-submission.ts";
import { ONCE_NAME, type StartForm } from "../start-forms.ts";
import { notationOf, writtenText } from "../written-values.ts";
import { messagesOf } from "./field-messages.ts";
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
    if (form.state !== "open") return await closedPage(form.state, request, form);
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
  answer: (form: LinkForm, pageLanguage: Language | null) => Promise<Answer>,
): Promise<Response> {
  if (!prefersHtml(request)) {
    const result = await answer(await open(), null);
    if (result.kind === "refused") throw result.error;
    if (result.kind !== "received") throw closedError(result.kind);
    return Response.json({ status: "received" }, { headers: PRIVATE_HEADERS });
  }
  let language: Language | null = null;
  try {
    const form = await open();
    language = form.language;
    const result = await answer(form, languageFor(request, form));
    if (result.kind === "received") return await notice("sent", request, form, 200);
    if (result.kind !== "refused") return await closedPage(result.kind, request, form);
    // Only an open form reads the values that it may refuse.
    if (form.state !== "open") return await closedPage(form.state, request, form);
    return await refusedPage(request, { ...form, ...form.content, once: null }, result);
  } catch (error) {
    return errorPage(error, request, limits, language);
  }
}

/** The query of the page that follows a form that was sent. */
const SENT = "sent";

/** Responds to GET of a webhook that has a form. */
export async function showStartForm(request: Request, open: () => Promise<StartForm>): Promise<Response> {
  try {
    const form = pageOfStart(await open());
    if (new URL(request.url).searchParams.has(SENT)) return await notice("started", request, form, 200);
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
  start: (form: StartForm, pageLanguage: Language) => Promise<Answer>,
): Promise<Response> {
  try {
    const form = await open();
    const result = await start(form, languageOf(request));
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
  const errors = messagesOf(error, form.fields, submission, await textsFor(request, form));
  return pageResponse(await render(request, form, texts, errors, files.size > 0), NO_SCRIPT, 422);
}

async function render(
  request: Request,
  { app, language, title, text, markdown, fields, options, connections, definition, until, once }: PageContent,
  texts: Submitted,
  errors: ReadonlyMap<string, string>,
  hasLostFiles: boolean,
): Promise<Document> {
  const pageTexts = await textsFor(request, { language });
  const notation = notationOf(pageTexts.language);
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
    pageTexts,
    texts: errors.size === 0 ? presetTexts(fields, (form, value) => writtenText(form, value, notation)) : texts,
    typeNames: await typeNamesIn(pageTexts.say),
    connections: (field: InputField) => acceptedBy(field, connections),
    markdown: hasMarkdown ? (await import("../../web-pages/markdown.ts")).markdownToHtml : String,
  });
}

const senderOf = ({ name, color }: FormHead["app"]): Sender => ({ name, color });

/** The language of a link, or else that of the browser. */
const languageFor = (request: Request, { language }: Pick<FormHead, "language">): Language =>
  language ?? languageOf(request);

const textsFor = (request: Request, head: Pick<FormHead, "language">): Promise<PageTexts> =>
  loadTexts(languageFor(request, head));

async function notice(
  kind: Notice,
  request: Request,
  form: Pick<FormHead, "app" | "language">,
  status: number,
): Promise<Response> {
  return pageResponse(noticePage(kind, await textsFor(request, form), senderOf(form.app)), NO_SCRIPT, status);
}

const readableLimits = ({ bodyBytes, fileBytes }: FormLimits, language: Language) => ({
  file: readableBytes(fileBytes, language),
  texts: readableBytes(bodyBytes, language),
});

/**
 * Rethrows internal errors, so that the handler logs them.
 * @param limits Null for a request without a body, which cannot be too large.
 * @param language That of the link, if it is known and has one.
 */
async function errorPage(
  error: unknown,
  request: Request,
  limits: FormLimits | null,
  language: Language | null = null,
): Promise<Response> {
  if (!isStepwellError(error) || error.code === "internal") throw error;
  const texts = await textsFor(request, { language });
  const kind = NOTICES[error.code] ?? "failed";
  const page = noticePage(kind, texts, null, limits === null ? {} : readableLimits(limits, texts.language));
  return pageResponse(page, NO_SCRIPT, error.status, error.headers);
}

const NOTICES: Partial<Record<StepwellError["code"], Notice>> = {
  not_found: "unknown",
  link_expired: "expired",
  too_large: "large",
  too_many_requests: "busy",
  unavailable: "busy",
};
