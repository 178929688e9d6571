/** Names that snippets use without declaring them, because the surrounding text explains them. */
export const GLOBALS = `
declare const stepwell: import("stepwell").Stepwell;
declare const client: import("stepwell/client").Client;
declare const app: import("stepwell").App;
declare const workflow: import("stepwell").Workflow;
declare const run: import("stepwell").Run;
declare const run_id: string;
declare const workflow_id: string;
declare const collection_id: string;
declare const trigger_id: string;
declare const record_id: string;
declare const file_id: string;
declare const upload_url: string;
declare const file: File;
declare module "@/stepwell" {
  const next: import("stepwell/next").NextStepwell<import("stepwell").Stepwell>;
  export const getStepwell: typeof next.getStepwell;
  export const handlers: typeof next.handlers;
}
declare function findPerson(cookies: string | null): Promise<{ appId: string; name: string } | null>;
declare const hook: import("stepwell").Hook;
declare const secret: string;
declare const password: string;
declare const apiKey: string;
declare const baseURL: string;
declare const billing: {
  send(to: string, amount: number, options: { key: string; signal: AbortSignal }): Promise<string>;
};
declare function deliver(
  letter: { to: string; subject: string; text: string },
  account: { host: string; port: number; user: string; password: string },
  key: string,
): Promise<{ message_id: string }>;
interface Listening { readonly port: number }
declare const Bun: { serve(options: { port?: number; fetch(request: Request): Promise<Response> }): Listening };
declare const Deno: { serve(handler: (request: Request) => Promise<Response>): Listening };
`;
