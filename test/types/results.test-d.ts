/** Types of results: named, with fields as over HTTP. */
import { describe, expectTypeOf, it } from "vitest";
import type {
  App,
  Collection,
  Draft,
  ErrorCode,
  File,
  FileContent,
  Hook,
  HookSignature,
  IssuedKey,
  JsonInputObject,
  JsonValue,
  Key,
  Page,
  Run,
  RunError,
  RunEvent,
  RunStatus,
  RunStep,
  RunSummary,
  Stepwell,
  Tag,
  Upload,
  Validation,
  Version,
  Visibility,
  Workflow,
} from "../../src/index.ts";
import { createStepwell, isStepwellError, StepwellError } from "../../src/index.ts";

/** `never` for a field name that is not in snake_case. */
type SnakeCase<Name> = Name extends Lowercase<Name & string> ? Name : never;

describe("the types of service functions", () => {
  it("return the named resource types", () => {
    type Result<Slice extends keyof Stepwell, Name extends keyof Stepwell[Slice]> = Stepwell[Slice][Name] extends (
      ...given: never[]
    ) => Promise<infer Given>
      ? Given
      : never;

    expectTypeOf<Result<"apps", "create">>().toEqualTypeOf<App>();
    expectTypeOf<Result<"apps", "list">>().toEqualTypeOf<Page<App>>();
    expectTypeOf<Result<"apps", "remove">>().toEqualTypeOf<void>();
    expectTypeOf<Result<"keys", "create">>().toEqualTypeOf<IssuedKey>();
    expectTypeOf<Result<"keys", "list">>().toEqualTypeOf<Page<Key>>();
    expectTypeOf<Result<"workflows", "create">>().toExtend<Workflow>();
    expectTypeOf<Result<"workflows", "putDraft">>().toEqualTypeOf<Draft>();
    expectTypeOf<Result<"workflows", "validate">>().toEqualTypeOf<Validation>();
    expectTypeOf<Result<"workflows", "deploy">>().toEqualTypeOf<Version>();
    expectTypeOf<Result<"runs", "create">>().toEqualTypeOf<Run>();
    expectTypeOf<Result<"runs", "list">>().toEqualTypeOf<Page<RunSummary>>();
    expectTypeOf<Result<"runs", "wait">>().toEqualTypeOf<Run>();
    expectTypeOf<Result<"files", "createUpload">>().toEqualTypeOf<Upload>();
    expectTypeOf<Result<"files", "receive">>().toEqualTypeOf<File>();
    expectTypeOf<Result<"files", "content">>().toEqualTypeOf<FileContent>();
    expectTypeOf<Result<"collections", "get">>().toEqualTypeOf<Collection>();
    expectTypeOf<Result<"tags", "list">>().toEqualTypeOf<Page<Tag>>();
  });

  it("accept path ids in order and known fields only", () => {
    const stepwell = createStepwell();
    expectTypeOf(stepwell.runs.provide).parameters.toEqualTypeOf<[string, string, string, JsonInputObject]>();
    expectTypeOf(stepwell.keys.remove).parameters.toEqualTypeOf<[string, string]>();
    () => stepwell.apps.create({ name: "Lending" });
    // @ts-expect-error: needs a name
    () => stepwell.apps.create({});
    // @ts-expect-error: is spelt created_at, and not given
    () => stepwell.apps.create({ name: "Lending", createdAt: "2027-01-31" });
    () => stepwell.collections.create("app", { name: "Loans" }); // the other fields have defaults
    () => stepwell.collections.list("app", { tags: ["a", "b"], deleted: true, search: "x", take: 10 });
    // @ts-expect-error: one of two words
    () => stepwell.collections.list("app", { visibility: "public" });
    // @ts-expect-error: the app comes first
    () => stepwell.workflows.deploy("work_1");
    () => stepwell.workflows.getVersion("app", "work", 3);
  });
});

describe("the type of a resource", () => {
  it("has fields in snake_case", () => {
    type Names = keyof (App & IssuedKey & Workflow & Version & Draft & Run & RunStep & RunSummary & File & Upload) &
      string;
    expectTypeOf<Names>().toEqualTypeOf<SnakeCase<Names>>();
    type More = keyof (Collection & Collection["config"] & Collection["triggers"][number] & Tag) & string;
    expectTypeOf<More>().toEqualTypeOf<SnakeCase<More>>();
    type Rule = keyof Collection["config"]["rules"][number] & string;
    expectTypeOf<Rule>().toEqualTypeOf<SnakeCase<Rule>>();
  });

  it("has the signature of a webhook, and its secret only after setting it", () => {
    const { hooks } = createStepwell();
    expectTypeOf(hooks.list).returns.resolves.toEqualTypeOf<Page<Hook>>();
    expectTypeOf(hooks.get).parameters.toEqualTypeOf<[string, string]>();
    expectTypeOf<Hook["workflow_id"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Hook["signature"]>().toEqualTypeOf<HookSignature | null>();
    expectTypeOf<HookSignature["scheme"]>().toEqualTypeOf<
      "standard-webhooks" | "github" | "stripe" | "slack" | "hmac-sha256"
    >();
    expectTypeOf(hooks.get).returns.resolves.not.toHaveProperty("secret");
    expectTypeOf(hooks.putSignature).returns.resolves.toHaveProperty("secret").toEqualTypeOf<string | undefined>();
    () => hooks.putSignature("app", "hook", { scheme: "github" });
    () => hooks.putSignature("app", "hook", { scheme: "hmac-sha256", header: "X-Signature", encoding: "base64" });
    // @ts-expect-error: Stripe makes the secret
    () => hooks.putSignature("app", "hook", { scheme: "stripe" });
    // @ts-expect-error: GitHub's header is known
    () => hooks.putSignature("app", "hook", { scheme: "github", header: "X-Signature" });
    // @ts-expect-error: a header is needed
    () => hooks.putSignature("app", "hook", { scheme: "hmac-sha256" });
  });

  it("is read-only", () => {
    expectTypeOf<App>().toEqualTypeOf<Readonly<App>>();
    expectTypeOf<Run>().toEqualTypeOf<Readonly<Run>>();
    expectTypeOf<Collection>().toEqualTypeOf<Readonly<Collection>>();
  });

  it("has null where a value can be missing", () => {
    expectTypeOf<Run["status"]>().toEqualTypeOf<RunStatus>();
    expectTypeOf<RunStatus>().toEqualTypeOf<"queued" | "running" | "waiting" | "succeeded" | "failed" | "canceled">();
    expectTypeOf<Run["output"]>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Run["error"]>().toEqualTypeOf<RunError | null>();
    expectTypeOf<Run["steps"]>().toEqualTypeOf<readonly RunStep[]>();
    expectTypeOf<RunStep["output"]>().toEqualTypeOf<JsonValue>();
    expectTypeOf<Workflow["latest_version"]>().toEqualTypeOf<number | null>();
    expectTypeOf<Collection["visibility"]>().toEqualTypeOf<Visibility>();
    expectTypeOf<Page<App>["items"]>().toEqualTypeOf<readonly App[]>();
    expectTypeOf<Page<App>["total"]>().toEqualTypeOf<number | undefined>();
  });
});

describe("the type RunEvent", () => {
  type Of<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>;

  it("has the fields of the type of the event, and no others", () => {
    const event = {} as RunEvent;
    expectTypeOf(event.run_id).toEqualTypeOf<string>();
    expectTypeOf(event.id).toEqualTypeOf<number | undefined>();
    if (event.type === "step.log") {
      expectTypeOf(event.lines).toEqualTypeOf<readonly string[]>();
      expectTypeOf(event.step).toEqualTypeOf<string>();
      expectTypeOf(event.item).toEqualTypeOf<number | undefined>();
      expectTypeOf(event.at).toEqualTypeOf<string>();
      expectTypeOf(event.id).toEqualTypeOf<undefined>();
    }
    if (event.type === "step.delta") expectTypeOf(event.text).toEqualTypeOf<string>();
    if (event.type === "step.failed" || event.type === "run.failed") {
      expectTypeOf(event.error).toExtend<RunError>();
      expectTypeOf(event.id).toEqualTypeOf<number>();
    }
    if (event.type === "run.succeeded") {
      expectTypeOf(event.output).toEqualTypeOf<JsonValue | undefined>();
      // @ts-expect-error: not an event of a step
      event.step;
    }
    // @ts-expect-error: only some events have an output
    event.output;
    expectTypeOf<keyof Of<"step.waiting">>().toEqualTypeOf<"type" | "run_id" | "step" | "at" | "id">();
    expectTypeOf<keyof Of<"step.canceled">>().toEqualTypeOf<"type" | "run_id" | "step" | "at" | "id">();
    expectTypeOf<keyof Of<"run.canceled">>().toEqualTypeOf<"type" | "run_id" | "at" | "id">();
  });

  it("is read-only", () => {
    expectTypeOf<Of<"step.log">>().toEqualTypeOf<Readonly<Of<"step.log">>>();
    expectTypeOf<Of<"run.failed">>().toEqualTypeOf<Readonly<Of<"run.failed">>>();
  });
});

describe("the type StepwellError", () => {
  it("is narrowed by isStepwellError with a code", () => {
    const caught: unknown = null;
    if (isStepwellError(caught, "not_found")) {
      expectTypeOf(caught).toEqualTypeOf<StepwellError>();
      expectTypeOf(caught.code).toEqualTypeOf<ErrorCode>();
      expectTypeOf(caught.status).toEqualTypeOf<number>();
    } else expectTypeOf(caught).toBeUnknown();
    // @ts-expect-error: no such code
    isStepwellError(caught, "notFound");
    // @ts-expect-error: no such code
    new StepwellError("gone", "It is gone.");
  });

  it("has the documented codes", () => {
    expectTypeOf<ErrorCode>().toEqualTypeOf<
      | "malformed"
      | "unauthorized"
      | "signature_mismatch"
      | "forbidden"
      | "not_found"
      | "method_not_allowed"
      | "request_timeout"
      | "conflict"
      | "idempotency_mismatch"
      | "upload_used"
      | "upload_expired"
      | "link_expired"
      | "precondition_failed"
      | "unsupported_version"
      | "checksum_mismatch"
      | "too_large"
      | "unsupported_media_type"
      | "range_not_satisfiable"
      | "invalid"
      | "address_refused"
      | "fetch_failed"
      | "too_many_requests"
      | "internal"
      | "not_configured"
      | "unavailable"
    >();
  });
});
