import type { Fetch } from "../../chat-client/connection.ts";

/**
 * `fetch` with upload progress, which the browser's own lacks: sends through XMLHttpRequest. Rejects as
 * `fetch` does: with the signal's reason, or with a TypeError when there was no response.
 */
export function createProgressFetch(onProgress: (sent: number, total: number) => void): Fetch {
  return (address, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
      request.onload = () => resolve(responseOf(request));
      request.onerror = () => reject(new TypeError("The request failed."));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener("abort", () => request.abort(), { once: true });
      if (signal?.aborted) reject(signal.reason);
      else request.send(body instanceof FormData ? body : null);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : [];
  });
  return new Response(request.responseText, { status: request.status, headers });
}
