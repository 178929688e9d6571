/**
 * Reads the content of a page and its frames, each in an isolated world that the page's scripts cannot reach. Frames of
 * other sites are omitted, because they run in separate processes.
 */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { PAGE_SCRIPT, type PageReading } from "./page-script.ts";

type Frames = Awaited<ReturnType<typeof framesOf>>;
type Argument = { objectId: string } | { value: unknown };

/** A page that navigates while it is read is read again. */
const MAX_ATTEMPTS = 5;
/** Maximum number of frames whose content is included, in document order. */
const MAX_FRAMES = 20;
/** Maximum nesting depth of frames. */
const MAX_FRAME_DEPTH = 5;

export async function readPage(context: BrowserContext, page: Page, maxCharacters: number): Promise<PageReading> {
  const session = await context.newCDPSession(page);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createFrameReader(session, maxCharacters)(await framesOf(session), 0);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      await page.waitForLoadState("domcontentloaded");
    }
  }
}

async function framesOf(session: CDPSession) {
  return (await session.send("Page.getFrameTree")).frameTree;
}

/** @param maxCharacters Maximum length of a document including its frames, in characters. */
function createFrameReader(session: CDPSession, maxCharacters: number) {
  let left = MAX_FRAMES;

  async function read({ frame, childFrames = [] }: Frames, depth: number): Promise<PageReading> {
    const world = { frameId: frame.id, worldName: "reader" };
    const { executionContextId } = await session.send("Page.createIsolatedWorld", world);
    const children = depth < MAX_FRAME_DEPTH ? childFrames : [];
    const inside = await Promise.all(children.map((child) => shown(child, depth + 1, executionContextId)));
    const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
      functionDeclaration: PAGE_SCRIPT,
      executionContextId,
      arguments: [{ value: maxCharacters }, { value: depth > 0 }, ...inside.flat()],
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
    return result.value;
  }

  /** Returns the element of a frame and the frame's content, or nothing if the frame has been removed. */
  async function shown(child: Frames, depth: number, executionContextId: number): Promise<Argument[]> {
    // The browser's error page is not part of the page.
    if (left === 0 || child.frame.unreachableUrl !== undefined) return [];
    left--;
    try {
      const { backendNodeId } = await session.send("DOM.getFrameOwner", { frameId: child.frame.id });
      const { object } = await session.send("DOM.resolveNode", { backendNodeId, executionContextId });
      return object.objectId === undefined ? [] : [{ objectId: object.objectId }, { value: await read(child, depth) }];
    } catch {
      return [];
    }
  }

  return read;
}
