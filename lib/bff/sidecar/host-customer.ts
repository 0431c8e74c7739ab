/** The customer whom the host names when it is asked with the caller's cookies. */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Customer, CustomerOf } from "../session/customer.ts";

/** Milliseconds for the host to answer. */
const answerTime = 2_000;
/** Milliseconds. */
const cacheTime = 1_000;
const cachedAnswers = 1_000;
/** UTF-16 code units. A page in the answer's place may have any length. */
const longestAnswer = 64 * 1024;

const Answer = z
  .object({
    id: z.union([z.string().min(1), z.int()]).transform(String),
    name: z
      .string()
      .nullish()
      .transform((name) => name ?? ""),
  })
  .nullable();

/**
 * The host answers with `{ "id", "name" }`, or for a guest with `null`, 204 or 401. The function rejects
 * after any other answer, and if the host is silent: the caller may be signed in.
 */
export function customerOfHost(address: string): CustomerOf {
  const answers = new LRUCache<string, Promise<Customer | null>>({ max: cachedAnswers, ttl: cacheTime });
  return (request) => {
    const cookies = request.headers.get("cookie");
    if (cookies === null) return null;
    // The page's first request follows a sign-in or sign-out that may have kept the cookies.
    const isStart = new URL(request.url).pathname.endsWith("/session");
    // Callers choose how long their cookies are.
    const key = hash("sha256", cookies, "base64url");
    const known = isStart ? undefined : answers.get(key);
    if (known !== undefined) return known;
    const answer = ask(address, cookies);
    // A failure is cached as well, so that a host in trouble is not asked more often.
    answers.set(key, answer);
    return answer;
  };
}

async function ask(address: string, cookie: string): Promise<Customer | null> {
  const response = await fetch(address, {
    // Frameworks take a GET for a page that the customer has opened: Laravel would redirect back to it.
    headers: { accept: "application/json", cookie, "x-requested-with": "XMLHttpRequest" },
    redirect: "manual",
    signal: AbortSignal.timeout(answerTime),
  });
  if (response.status === 200) return Answer.parse(JSON.parse(await textOf(response)));
  await response.body?.cancel();
  if (response.status === 204 || response.status === 401) return null;
  throw new Error(`CUSTOMER_URL answered ${response.status}`);
}

async function textOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
    text += decoder.decode(piece.value, { stream: true });
    if (text.length > longestAnswer) {
      await reader?.cancel();
      throw new Error("CUSTOMER_URL answered with more than 64 KiB");
    }
  }
  return text;
}
