/** Follows the document of a page itself, through its redirects and wherever its scripts go on to. */
import type { Page, Request, Response } from "playwright-core";

export interface MainDocument {
  /** The last that was no redirect. */
  answer(): Response | undefined;
  /** `host:port` that was asked last. */
  asked(): string | undefined;
}

export function followMain(page: Page): MainDocument {
  let answer: Response | undefined;
  let asked: string | undefined;
  const isMain = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame();

  page.on("request", (request) => {
    if (isMain(request)) asked = hostOf(request.url());
  });
  page.on("response", (response) => {
    const isRedirect = response.status() >= 300 && response.status() < 400;
    if (!isRedirect && isMain(response.request())) answer = response;
  });
  return { answer: () => answer, asked: () => asked };
}

function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
