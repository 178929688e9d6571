/** An MCP server's tools as the actions of a service, for service and model steps. */
import type {
  CallToolResult,
  Client,
  FetchLike,
  JsonSchemaType,
  Progress,
  Tool,
  Transport,
} from "@modelcontextprotocol/client";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import * as v from "valibot";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { isStepwellError, StepwellError } from "../../src/errors.ts";
import { omitUndefined } from "../../src/json.ts";
import { ActionError } from "../../src/services/action-error.ts";
import type { ActionContext, AnyAction, AnyService } from "../../src/services/service.ts";
import { type ClientSdk, loadClientSdk, loadStdioClient, loadValidators } from "./sdk.ts";

/** Options of {@link mcpService}: the server has either a `url` or a `command`. */
export interface McpServiceOptions {
  /** Name of the service in steps: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** Title for people. @default the title that the server gives itself */
  readonly title?: string;
  /** Address of a server that speaks Streamable HTTP. */
  readonly url?: string;
  /** Headers of the requests to `url`, such as `authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Program to start, which speaks over its standard input and output. It ends with the instance. */
  readonly command?: string;
  /** Arguments of `command`. @default none */
  readonly args?: readonly string[];
  /** Environment of `command`. @default only what programs commonly need, such as PATH */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of the tools that become actions. @default all */
  readonly tools?: readonly string[];
  /**
   * Milliseconds for one call, from 1 to 86,400,000 (24 hours). Connecting and listing the tools may take as long, but at
   * most 30 seconds.
   * @default 60_000
   */
  readonly timeoutMs?: number;
}

const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 4_096;
const MAX_REASON_CHARS = 500;
const MAX_CONNECT_MS = 30_000;
/** More than an output of a step may have, with room for progress. */
const MAX_RESPONSE_BYTES = 32 * MEBIBYTE;

/** The result of a tool that declares no output. */
const PlainOutput = v.object({
  /** All texts of the result. */
  text: v.string(),
  /** The result as the tool returned it: texts, images, links. */
  content: v.array(v.record(v.string(), v.unknown())),
});

/**
 * Connects to an MCP server and returns a service whose actions are its tools, with their schemas. Actions return the
 * structured content of tools that declare an output, otherwise `{ text, content }`. Tools that are read-only or idempotent
 * have three attempts, others one. A lost connection is opened again with the next call.
 *
 * Needs the package `@modelcontextprotocol/client`.
 * @throws StepwellError `invalid` for wrong options; `not_configured` if the package is missing; `unavailable` if the server
 * cannot be reached
 * @example
 * ```ts
 * const tickets = await mcpService({ name: "tickets", url: "https://tickets.example.com/mcp", headers: { authorization } });
 * const stepwell = createStepwell({ services: [tickets] });
 * ```
 */
export async function mcpService(options: McpServiceOptions): Promise<AnyService> {
  const { name, tools: wanted, timeoutMs = 60_000 } = options;
  if ((options.url === undefined) === (options.command === undefined))
    throw new StepwellError("invalid", "mcpService needs either a url or a command.");
  const sdk = await loadClientSdk();
  const connection = createConnection(sdk, options);
  const { client, tools } = await listed(connection, options);
  const chosen = tools.filter((tool) => wanted === undefined || wanted.includes(tool.name));
  const missing = wanted?.filter((one) => !tools.some((tool) => tool.name === one)) ?? [];
  if (missing.length > 0) {
    await connection.close();
    throw new StepwellError("invalid", `The MCP server ${name} has no tools with the names ${missing.join(", ")}.`);
  }
  const { CfWorkerJsonSchemaValidator } = await loadValidators();
  const validator = new CfWorkerJsonSchemaValidator();
  const schemaOf = (schema: Tool["inputSchema"] | NonNullable<Tool["outputSchema"]>): StandardSchemaV1 =>
    sdk.fromJsonSchema(schema as JsonSchemaType, validator); // checked by the client
  const names = new Set<string>();
  const actions = chosen.map((tool): [string, AnyAction] => {
    const isRepeatable = tool.annotations?.readOnlyHint === true || tool.annotations?.idempotentHint === true;
    const action: AnyAction = {
      ...omitUndefined({
        title: tool.title ?? tool.annotations?.title,
        description: tool.description?.slice(0, MAX_DESCRIPTION_CHARS),
      }),
      input: schemaOf(tool.inputSchema),
      output: tool.outputSchema === undefined ? PlainOutput : schemaOf(tool.outputSchema),
      maxAttempts: isRepeatable ? 3 : 1,
      timeoutMs,
      run: (args: Record<string, unknown>, context: ActionContext) => call(connection, tool, args, context, timeoutMs),
    };
    return [actionName(tool.name, names), action];
  });
  const title = options.title ?? client.getServerVersion()?.title;
  return { name, ...omitUndefined({ title }), actions: Object.fromEntries(actions), close: connection.close };
}

/** The name of a tool in the characters of actions, with a number if that is taken. */
function actionName(tool: string, names: Set<string>): string {
  const plain = tool.replace(/[^\w-]/g, "_").slice(0, MAX_NAME_CHARS) || "tool";
  let name = plain;
  for (let number = 2; names.has(name); number++) name = `${plain.slice(0, MAX_NAME_CHARS - 5)}_${number}`;
  names.add(name);
  return name;
}

/** Connects and lists the tools. @throws StepwellError `unavailable` */
async function listed(connection: Connection, { name, timeoutMs = MAX_CONNECT_MS }: McpServiceOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = Math.min(timeoutMs, MAX_CONNECT_MS);
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${limit} ms`)), limit);
  });
  try {
    const client = await Promise.race([connection.open(), late]);
    return { client, ...(await Promise.race([client.listTools(), late])) };
  } catch (cause) {
    // A server that does not answer does not end either.
    void connection.close();
    throw unavailable(name, cause);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(name: string, cause: unknown): StepwellError {
  if (isStepwellError(cause)) return cause;
  const reason = cause instanceof Error ? cause.message.slice(0, MAX_REASON_CHARS) : "";
  return new StepwellError("unavailable", `The MCP server ${name} cannot be used: ${reason}`, { cause });
}

interface Connection {
  /** @throws StepwellError `unavailable` */
  open(): Promise<Client>;
  close(): Promise<void>;
}

/** One client, which is created again after its connection was lost. */
function createConnection(sdk: ClientSdk, options: McpServiceOptions): Connection {
  let opened: Promise<Client> | undefined;

  async function transport(): Promise<Transport> {
    const { url, headers, command = "", args = [], env } = options;
    if (url !== undefined) {
      return new sdk.StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { ...headers } },
        fetch: boundedFetch,
      });
    }
    const { StdioClientTransport } = await loadStdioClient();
    return new StdioClientTransport({ command, args: [...args], ...omitUndefined({ env: env && { ...env } }) });
  }

  async function connect(): Promise<Client> {
    const client = new sdk.Client(
      { name: "stepwell", version: "1.0.0" },
      { versionNegotiation: { mode: "auto" }, capabilities: {} },
    );
    client.onclose = () => {
      opened = undefined;
    };
    try {
      await client.connect(await transport());
      return client;
    } catch (cause) {
      opened = undefined;
      throw unavailable(options.name, cause);
    }
  }

  return {
    open() {
      opened ??= connect();
      return opened;
    },
    async close() {
      const open = opened;
      opened = undefined;
      await (await open?.catch(() => undefined))?.close();
    },
  };
}

/** Fetches a response that is read into memory, so that it must not be endless. */
const boundedFetch: FetchLike = async (url, init) => {
  const { body, status, statusText, headers } = await fetch(url, init);
  let bytes = 0;
  const bounded = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_RESPONSE_BYTES) controller.error(new Error(`a response exceeds ${MAX_RESPONSE_BYTES} bytes`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded ?? null, { status, statusText, headers });
};

/** @throws ActionError `tool_failed`, `tool_unreachable` */
async function call(
  connection: Connection,
  { name, outputSchema }: Tool,
  args: Record<string, unknown>,
  { signal, log }: ActionContext,
  timeoutMs: number,
): Promise<unknown> {
  const result = await ask();
  const text = result.content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n");
  if (result.isError === true) throw new ActionError("tool_failed", text || "The tool failed without a reason.");
  return outputSchema === undefined ? { text, content: result.content } : result.structuredContent;

  async function ask(): Promise<CallToolResult> {
    try {
      const client = await connection.open();
      const onprogress = ({ progress, total, message }: Progress) =>
        log(message ?? (total === undefined ? `${progress}` : `${progress} of ${total}`));
      return await client.callTool(
        { name, arguments: args },
        { signal, timeout: timeoutMs, resetTimeoutOnProgress: true, onprogress },
      );
    } catch (cause) {
      signal.throwIfAborted();
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new ActionError("tool_unreachable", message.slice(0, 1_000), { retryable: true, cause });
    }
  }
}
