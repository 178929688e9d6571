/** Tracks the main document of a page through redirects and navigations by scripts. */
import type { Page, Request, Response } from "playwright-core";

export interface MainDocument {
  /** The last response that was not a redirect. */
  answer(): Response | undefined;
  /** `host:port` of the last request. */
  requestedHost(): string | undefined;
}

export function followMain(page: Page): MainDocument {
  let answer: Response | undefined;
  let requestedHost: string | undefined;
  const isMain = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame();

  page.on("request", (request) => {
    if (isMain(request)) requestedHost = hostOf(request.url());
  });
  page.on("response", (response) => {
    const isRedirect = response.status() >= 300 && response.status() < 400;
    if (!isRedirect && isMain(response.request())) answer = response;
  });
  return { answer: () => answer, requestedHost: () => requestedHost };
}

function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
